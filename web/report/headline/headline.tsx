import {
  leadingNames,
  leadingNumber,
  leadingSentence,
  yesOutcome,
} from '../../../contract/report-text/leading-number.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { percentText, withNoBreak } from '../../shared/format.js';
import type { ResultView } from '../completed-view.js';
import { outcomeText } from '../grade/format-grade.js';
import { otherFavouritesText, verdictReason, verdictTitle } from './format-verdict.js';

/** The result: the most likely outcome, the recommended action, and the confidence. */
export function Headline({ report, runtime }: ResultView) {
  const { grade } = report;
  return (
    <section className="headline" aria-labelledby="headline">
      <h2 id="headline" className="unseen">
        Result
      </h2>
      <dl>
        <MostLikely runtime={runtime} />
        <Verdict report={report} runtime={runtime} />
        <ConfidenceFigure confidence={report.confidence} thresholds={runtime.method.thresholds} />
      </dl>
      {grade === null ? null : (
        <p className="since">
          <strong>Outcome:</strong> {outcomeText(grade, runtime.exclusive)}{' '}
          <a href="#grade">See how the report scored</a>
        </p>
      )}
    </section>
  );
}

function MostLikely({ runtime }: { runtime: RuntimeView }) {
  const { outcome, name, percent, beside, why } = leadingNumber(runtime);
  return (
    <div className={`most-likely ${name}`}>
      <dt>Most likely{runtime.exclusive ? '' : ' of these questions'}</dt>
      <dd className="answer">{outcome}</dd>
      <dd className="huge">
        <span className="whose">{leadingNames[name]}</span> {percentText(percent)}
      </dd>
      <dd>{beside}</dd>
      <dd className="muted">
        {why} {otherFavouritesText(runtime)}
      </dd>
    </div>
  );
}

function Verdict({ report, runtime }: ResultView) {
  const { queried_market: market } = report;
  const yes = yesOutcome(runtime, market);
  const leading = leadingNumber(runtime);
  const isOneOfMany = (report.market_snapshot?.markets.length ?? 0) > 1;
  return (
    <div className="verdict-on">
      <dt>Verdict{isOneOfMany && market !== null ? ` on “${market}”` : ''}</dt>
      <dd className="answer">{verdictTitle(report)}</dd>
      {isOneOfMany && yes !== null && yes !== leading.outcome ? (
        <dd>For YES: {withNoBreak(leadingSentence(leadingNumber(runtime, yes), leading))}</dd>
      ) : null}
      <dd className="muted">{verdictReason(report, runtime)}</dd>
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
  const zero = thresholds['confidence_spread_zero'];
  const withoutEvidence = thresholds['confidence_without_evidence'];
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
        How much weight the forecast deserves. It is not the probability of being right: models make the same
        mistakes, so even four models that agree are not certain.
      </dd>
      <dd>
        <details>
          <summary>How this is calculated</summary>
          <p>
            One half is agreement, which falls to zero as the distance between members grows
            {zero === undefined ? '' : ` to ${zero * 100} points`}. The other half is the median of the
            confidence that the members report. It is reduced if a member was lost and in a conflict
            {withoutEvidence === undefined
              ? ''
              : `, and multiplied by ${withoutEvidence} if members searched and found nothing`}
            . It is not calibrated: use it to rank reports.
          </p>
        </details>
      </dd>
    </div>
  );
}
