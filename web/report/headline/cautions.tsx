import type { ReactNode } from 'react';
import { conflictText } from '../../../contract/report-text/estimate-text.js';
import { noEvidenceText } from '../../../contract/report-text/evidence-text.js';
import { rulesChangedText } from '../../../contract/report-text/rules-text.js';
import { day, memberName, withNoBreak } from '../../shared/format.js';
import type { CompletedView, ResultView } from '../completed-view.js';
import { lossText, lostMembers, quorumText } from './format-cautions.js';

/** Limitations that apply to every number of the report, so they come first. */
export function Cautions({ report, runtime, deliberation }: CompletedView) {
  const noEvidence = noEvidenceText(deliberation.evidence, memberName);
  const rulesChanged = rulesChangedText(report, day);
  const { simulated, consensus_market_conflict: isInConflict, degraded } = runtime;
  if (!simulated && !isInConflict && !degraded && noEvidence === null && rulesChanged === null) return null;
  return (
    <section className="cautions" aria-label="Read this first">
      {simulated ? (
        <Caution kind="simulated" title="SIMULATED">
          No language model was called. A program generated all answers and numbers below to show what a
          report looks like. They say nothing about the event.
        </Caution>
      ) : null}
      {isInConflict ? (
        <Caution kind="conflict" title="Council and market are in conflict">
          {withNoBreak(conflictText)}
        </Caution>
      ) : null}
      {rulesChanged === null ? null : (
        <Caution kind="rules-changed" title="The rules have changed">
          {rulesChanged}
        </Caution>
      )}
      {degraded ? <Degraded report={report} runtime={runtime} /> : null}
      {noEvidence === null ? null : (
        <Caution kind="unsearched" title="No sources">
          {noEvidence}
        </Caution>
      )}
    </section>
  );
}

function Degraded({ report, runtime }: ResultView) {
  const { requested } = report.council_config;
  return (
    <Caution kind="degraded" title="Incomplete council">
      {quorumText(runtime.models.length, requested.models.length)} The confidence is reduced, and a bet needs
      a larger edge.
      <ul>
        {lostMembers(report.dropouts).map(dropout => (
          <li key={dropout.model + dropout.stage}>{lossText(dropout)}</li>
        ))}
      </ul>
    </Caution>
  );
}

function Caution({ kind, title, children }: { kind: string; title: string; children: ReactNode }) {
  return (
    <div className={`caution ${kind}`}>
      <strong className="caution-title">{title}</strong>
      <div>{children}</div>
    </div>
  );
}
