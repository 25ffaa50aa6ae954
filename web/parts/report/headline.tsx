import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { percent } from '../format.js';
import { ConfidenceFigure } from './confidence-figure.js';
import { outcomeText } from './grade-words.js';
import { otherSide, sourceName, verdictReason, verdictTitle } from './verdict-words.js';

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
