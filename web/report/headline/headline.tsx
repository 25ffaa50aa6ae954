import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { percent } from '../../shared/format.js';
import { outcomeText } from '../grade/format-grade.js';
import { otherSide, sourceName, verdictReason, verdictTitle } from './format-verdict.js';

interface HeadlineProps {
  readonly report: ReportView;
  readonly runtime: RuntimeView;
}

/** The answer: what is most likely, what to do about it, and how much weight that deserves. */
export function Headline({ report, runtime }: HeadlineProps) {
  const { grade } = report;
  return (
    <section className="headline" aria-labelledby="headline">
      <h2 id="headline" className="unseen">
        The answer
      </h2>
      <dl>
        <MostLikely runtime={runtime} />
        <Verdict report={report} runtime={runtime} />
        <ConfidenceFigure confidence={report.confidence} thresholds={runtime.method.thresholds} />
      </dl>
      {grade === null ? null : (
        <p className="since">
          <strong>Since then:</strong> {outcomeText(grade, runtime.exclusive)}{' '}
          <a href="#grade">How good this report was</a>
        </p>
      )}
    </section>
  );
}

function MostLikely({ runtime }: { runtime: RuntimeView }) {
  const { most_likely_outcome: outcome, most_likely_probability: probability, most_likely_source } = runtime;
  const isCouncils = most_likely_source === 'council';
  return (
    <div className={`most-likely ${isCouncils ? 'council' : 'market'}`}>
      <dt>
        Most likely{runtime.exclusive ? '' : ' of these questions'}, by {sourceName(runtime)}
      </dt>
      <dd className="answer">{outcome}</dd>
      <dd className="huge">{percent(probability)}</dd>
      <dd className="muted">{otherSide(runtime)}</dd>
    </div>
  );
}

function Verdict({ report, runtime }: HeadlineProps) {
  const { queried_market: market, probability } = report;
  const isOneOfMany = (report.market_snapshot?.markets.length ?? 0) > 1;
  return (
    <div className="verdict-on">
      <dt>Verdict{isOneOfMany && market !== null ? ` on “${market}”` : ''}</dt>
      <dd className="answer">{verdictTitle(report)}</dd>
      {isOneOfMany && probability !== null ? (
        <dd>
          {percent(probability)} that it ends with YES, by {sourceName(runtime)}.
        </dd>
      ) : null}
      <dd className="muted">{verdictReason(report, runtime)}</dd>
    </div>
  );
}

interface ConfidenceFigureProps {
  readonly confidence: number | null;
  readonly thresholds: RuntimeView['method']['thresholds'];
}

/** How much weight the number deserves, beside the most that it could. */
function ConfidenceFigure({ confidence, thresholds }: ConfidenceFigureProps) {
  const most = thresholds['confidence_max'] ?? 100;
  const zero = thresholds['confidence_spread_zero'];
  if (confidence === null) return null;
  return (
    <div className="confidence">
      <dt>Confidence</dt>
      <dd className="answer">
        {confidence} <span className="of">of {most} at most</span>
      </dd>
      <dd>
        <svg className="meter" height="8" aria-hidden="true">
          <rect className="track" width="100%" height="8" rx="4" />
          <rect className="fill" width={`${(100 * confidence) / most}%`} height="8" rx="4" />
        </svg>
      </dd>
      <dd className="muted">
        How much weight the number deserves. It is no chance of being right: models err together, so even four
        that agree never count as certain.
      </dd>
      <dd>
        <details>
          <summary>How it is reckoned</summary>
          <p>
            Half of it is agreement, which falls to nothing as the widest gap between members grows
            {zero === undefined ? '' : ` to ${zero * 100} points`}. The other half is the median of what the
            members say of themselves. It is lowered for every model lost and in conflict, and has not been
            calibrated: it ranks reports by how much weight they deserve.
          </p>
        </details>
      </dd>
    </div>
  );
}
