import { leadingNumber, leadingSentence, yesOutcome } from '../../../contract/report-text/leading-number.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { percentText, withNoBreak } from '../../shared/format.js';
import type { ResultView } from '../completed-view.js';
import { verdictReason, verdictTitle } from './format-verdict.js';

/** The recommended action on the queried market, and the confidence. */
export function Verdict({ report, runtime }: ResultView) {
  return (
    <dl className="conclusion">
      <Action report={report} runtime={runtime} />
      <ConfidenceFigure confidence={report.confidence} thresholds={runtime.method.thresholds} />
      <ResolutionRisk risk={runtime.resolution_risk} />
    </dl>
  );
}

function Action({ report, runtime }: ResultView) {
  const { queried_market: market } = report;
  const yes = yesOutcome(runtime, market);
  const leading = leadingNumber(runtime);
  const reason = verdictReason(report, runtime);
  const isOneOfMany = (report.market_snapshot?.markets.length ?? 0) > 1;
  return (
    <div className="action">
      <dt>Verdict{isOneOfMany && market !== null ? ` on “${market}”` : ''}</dt>
      <dd className="answer">{verdictTitle(report)}</dd>
      {isOneOfMany && yes !== null && yes !== leading.outcome ? (
        <dd>For YES: {withNoBreak(leadingSentence(leadingNumber(runtime, yes), leading))}</dd>
      ) : null}
      {reason === null ? null : <dd className="muted">{reason}</dd>}
    </div>
  );
}

interface ConfidenceFigureProps {
  readonly confidence: number | null;
  readonly thresholds: RuntimeView['method']['thresholds'];
}

/** The confidence, next to its maximum. */
function ConfidenceFigure({ confidence, thresholds }: ConfidenceFigureProps) {
  const max = thresholds['confidence_max'] ?? 100;
  if (confidence === null) return null;
  return (
    <div className="confidence">
      <dt>Confidence</dt>
      <dd className="answer">
        {confidence} <span className="of">of at most {max}</span>
      </dd>
      <dd>
        <svg className="meter" height="8" aria-hidden="true">
          <rect className="track" width="100%" height="8" rx="4" />
          <rect className="fill" width={`${(100 * confidence) / max}%`} height="8" rx="4" />
        </svg>
      </dd>
      <dd className="muted">The weight that the forecast deserves, not a chance of being right.</dd>
    </div>
  );
}

/** Absent in reports of 1.0.0. */
function ResolutionRisk({ risk }: { risk: RuntimeView['resolution_risk'] }) {
  if (risk === null) return null;
  return (
    <div className="risk">
      <dt>Resolution risk</dt>
      <dd className="answer">{percentText(risk)}</dd>
      <dd className="muted">
        The chance that wording, source or a dispute decides otherwise than the facts suggest.
      </dd>
    </div>
  );
}
