import { leadingNumber, leadingSentence, yesOutcome } from '../../../contract/report-text/leading-number.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { withNoBreak } from '../../shared/format.js';
import type { ResultView } from '../completed-view.js';
import { verdictReason, verdictTitle } from './format-verdict.js';

/** The recommended action on the queried market, and the confidence. */
export function Verdict({ report, runtime }: ResultView) {
  return (
    <dl className="conclusion">
      <Action report={report} runtime={runtime} />
      <ConfidenceFigure confidence={report.confidence} thresholds={runtime.method.thresholds} />
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
      <dd className="muted">
        How much weight the forecast deserves, not the probability of being right.{' '}
        <a href="#provenance">How it is calculated</a>
      </dd>
    </div>
  );
}
