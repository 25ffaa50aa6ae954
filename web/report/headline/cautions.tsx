import type { ReactNode } from 'react';
import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { lossText, quorumText } from './format-cautions.js';

interface CautionsProps {
  readonly report: ReportView;
  readonly runtime: RuntimeView;
}

/** What has to be known before any number is read. */
export function Cautions({ report, runtime }: CautionsProps) {
  if (!runtime.simulated && !runtime.consensus_market_conflict && !runtime.degraded) return null;
  return (
    <section className="cautions" aria-label="Read this first">
      {runtime.simulated ? (
        <Caution kind="simulated" title="SIMULATED">
          No language model was asked. Every answer and every number below was made up by a program, to show
          how a report reads. It says nothing about the world.
        </Caution>
      ) : null}
      {runtime.consensus_market_conflict ? (
        <Caution kind="conflict" title="Council and market are in conflict">
          They disagree so hard that the council is not followed: where that happens, the market has been
          right more often. The headline is therefore the market’s, and no bet is suggested. What the council
          itself says stands beside it, and is graded as such.
        </Caution>
      ) : null}
      {runtime.degraded ? <Degraded report={report} runtime={runtime} /> : null}
    </section>
  );
}

function Degraded({ report, runtime }: CautionsProps) {
  const { requested } = report.council_config;
  return (
    <Caution kind="degraded" title="The council was not complete">
      {quorumText(runtime.models.length, requested.models.length)} The confidence is lower for it, and a bet
      takes a wider edge.
      <ul>
        {report.dropouts.map(dropout => (
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
