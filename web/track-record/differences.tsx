import type { TrackRecordView } from '../../contract/track-record.js';
import { memberName, members } from '../shared/format.js';
import { Part } from '../shared/part.js';
import {
  adjustmentTexts,
  type ComparisonTexts,
  comparisonOf,
  estimateTexts,
  leftOutTexts,
  outsideViewTexts,
  reviewTexts,
  scoreTexts,
} from './comparison.js';
import { Figure } from './figure.js';
import { counted, difference, range, reachOf, score } from './format-figures.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';

/** The comparison that the verdict is based on. */
export function DifferencePart({ record }: { readonly record: TrackRecordView }) {
  const { paired_difference: all, skill } = record;
  const first = record.first_report_per_event.paired_difference;
  const unchanged = record.rules_unchanged.paired_difference;
  return (
    <Part id="difference" title="Was the council better than the market?">
      <DifferenceTable
        caption="Brier score of the council minus that of the market, over the reports for which the market had a price."
        names={['Council', 'Market']}
        rows={[
          { name: 'All reports', difference: againstMarket(all) },
          { name: 'First report of each event', difference: againstMarket(first) },
          { name: 'Rules unchanged', difference: againstMarket(unchanged) },
        ]}
      />
      <p>
        Each event has one vote, the mean of its reports, however many were bought. The second row is a check:
        it uses only the first report on each event. The third leaves out reports whose venue changed the
        rules between sale and grade.
      </p>
      <p>
        The point is the measured difference. The thin line, with its ends in numbers, is its 95 % confidence
        sequence: you may look at it as often as you like, and the chance that it ever excludes the true
        difference is at most 5 %. Where it includes zero, these reports do not show a difference. The thick
        line is the usual 95 % interval. It is right for one look only, and these figures are published every
        hour.
      </p>
      {skill === null ? null : (
        <p>
          The skill score is <strong className="number">{difference(skill)}</strong>: 1 minus the council’s
          Brier score divided by the market’s. Above zero, the council scored better. The difference above
          shows whether that is more than chance.
        </p>
      )}
      <EstimateTable estimate={record.estimate_difference} />
      <ReviewTable review={record.review} />
      <OutsideViewTable difference={record.outside_view.difference} />
    </Part>
  );
}

function EstimateTable({ estimate }: { readonly estimate: TrackRecordView['estimate_difference'] }) {
  if (estimate.n === 0) return null;
  const compared = { ...estimate, first: estimate.estimate_brier, second: estimate.market_brier };
  return (
    <DifferenceTable
      caption="Brier score of the estimate minus that of the market. The estimate weighs council and market by what was learnt from resolved events; bets are priced by it."
      names={['Estimate', 'Market']}
      texts={estimateTexts}
      rows={[{ name: 'All reports', difference: compared }]}
    />
  );
}

function ReviewTable({ review }: { readonly review: TrackRecordView['review'] }) {
  if (review.n === 0) return null;
  const compared = { ...review, first: review.council_brier, second: review.first_council_brier };
  return (
    <DifferenceTable
      caption="What cross-review was worth: the Brier score of the council minus that of its members’ first opinions."
      names={['Council', 'First opinions']}
      sides={['review helped', 'review harmed']}
      texts={reviewTexts}
      rows={[{ name: 'All reports', difference: compared }]}
    />
  );
}

function OutsideViewTable({
  difference: ours,
}: {
  readonly difference: TrackRecordView['outside_view']['difference'];
}) {
  if (ours.n === 0) return null;
  const compared = { ...ours, first: ours.council_brier, second: ours.outside_view_brier };
  return (
    <DifferenceTable
      caption="What the council adds to base rates: its Brier score minus that of its members’ base rates alone, pooled, on questions with two outcomes."
      names={['Council', 'Base rates']}
      texts={outsideViewTexts}
      rows={[{ name: 'All reports', difference: compared }]}
    />
  );
}

/** The same comparison for groups of reports. */
export function GroupsPart({ record }: { readonly record: TrackRecordView }) {
  const { by_action: action, by_flag: flag, slice_adjustment: adjustment } = record;
  return (
    <Part id="groups" title="By action, flag and category">
      <DifferenceTable
        caption={`By the recommended action on the queried market. ${adjustmentTexts[adjustment.by_action]}`}
        names={['Council', 'Market']}
        rows={[
          { name: 'Buy yes', difference: againstMarket(action.BUY_YES.paired_difference) },
          { name: 'Buy no', difference: againstMarket(action.BUY_NO.paired_difference) },
          { name: 'Skip', difference: againstMarket(action.SKIP.paired_difference) },
        ]}
      />
      <DifferenceTable
        caption={`By flag. Degraded: a model dropped out. Conflict: the council contradicted a reliable market so strongly that the headline followed the market; the council’s own forecast is graded here. ${adjustmentTexts[adjustment.by_flag]}`}
        names={['Council', 'Market']}
        rows={[
          { name: 'Degraded', difference: againstMarket(flag.degraded.paired_difference) },
          { name: 'Not degraded', difference: againstMarket(flag.not_degraded.paired_difference) },
          { name: 'In conflict', difference: againstMarket(flag.conflict.paired_difference) },
          { name: 'Not in conflict', difference: againstMarket(flag.no_conflict.paired_difference) },
        ]}
      />
      <DifferenceTable
        caption={`By category of the event: the ten with the most events, then all others together. ${adjustmentTexts[adjustment.by_category]}`}
        names={['Council', 'Market']}
        rows={record.by_category.map(each => ({
          name: categoryName(each),
          difference: againstMarket(each.paired_difference),
        }))}
      />
      <p className="muted small">
        Among many groups, some differ by chance alone. The thin lines allow for the number of rows in their
        table; the thick ones do not. Use these rows to raise questions, not to answer them.
      </p>
    </Part>
  );
}

function categoryName({ slice, category, categories }: TrackRecordView['by_category'][number]): string {
  if (slice === 'none') return 'Without a category';
  return category ?? `Others (${categories})`;
}

/** What the council loses without each of its members. */
export function LeftOutTable({ record }: { readonly record: TrackRecordView }) {
  const { members: figures, slice_adjustment: adjustment } = record;
  return (
    <DifferenceTable
      caption={`What each member is worth: the Brier score of the council without it minus that with it, where another member had a forecast too. ${adjustmentTexts[adjustment.left_out]}`}
      names={['Without', 'Council']}
      sides={['better without', 'worse without']}
      texts={leftOutTexts}
      rows={members.map(model => {
        const { without_brier: first, council_brier: second, ...result } = figures.left_out[model];
        return { name: `Without ${memberName(model)}`, difference: { ...result, first, second } };
      })}
    />
  );
}

interface Difference extends Omit<TrackRecordView['paired_difference'], 'council_brier' | 'market_brier'> {
  /** Brier scores of the two that are compared. */
  readonly first: number | null;
  readonly second: number | null;
}

function againstMarket({
  council_brier: first,
  market_brier: second,
  ...difference
}: TrackRecordView['paired_difference']): Difference {
  return { ...difference, first, second };
}

interface DifferenceTableProps {
  readonly caption: string;
  /** The two that are compared. */
  readonly names: readonly [first: string, second: string];
  /** What is below zero and above it. */
  readonly sides?: readonly [below: string, above: string];
  readonly texts?: ComparisonTexts;
  readonly rows: readonly { readonly name: string; readonly difference: Difference }[];
}

/** Two forecasters on the same reports, one group per row, all on one scale. */
function DifferenceTable({ caption, names, sides, texts = scoreTexts, rows }: DifferenceTableProps) {
  const [first, second] = names;
  const reach = reachOf(
    rows.flatMap(({ difference: { mean, interval_95: ends, confidence_sequence_95: sequence } }) => [
      mean ?? 0,
      ...(ends ?? []),
      ...(sequence ?? []),
    ]),
  );
  return (
    <table className="differences">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Reports</th>
          <th scope="col" className="number">
            <span className="swatch council" aria-hidden="true" />
            {first}
            <br />
            <span className="swatch market" aria-hidden="true" />
            {second}
          </th>
          <th scope="col">
            Difference of Brier scores with its 95 % confidence sequence
            <IntervalAxis
              reach={reach}
              format={difference}
              sides={sides ?? [`${first.toLowerCase()} better`, `${second.toLowerCase()} better`]}
            />
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, difference: result }) => (
          <DifferenceRow key={name} name={name} result={result} reach={reach} texts={texts} />
        ))}
      </tbody>
    </table>
  );
}

interface DifferenceRowProps {
  readonly name: string;
  readonly result: Difference;
  readonly reach: number;
  readonly texts: ComparisonTexts;
}

function DifferenceRow({ name, result, reach, texts }: DifferenceRowProps) {
  const { n, events, mean, interval_95: interval, confidence_sequence_95: sequence } = result;
  const comparison = comparisonOf(result);
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="of muted">
          {counted(n, 'report')}, {counted(events, 'event')}
        </span>
      </th>
      <td className="number">
        <Figure text={score(result.first)} />
        <br />
        <Figure text={score(result.second)} />
      </td>
      <td>
        <IntervalPlot
          mean={mean}
          interval={interval}
          sequence={sequence}
          reach={reach}
          comparison={comparison}
        />
        {mean === null ? null : (
          <>
            <strong className="number">{difference(mean)}</strong>{' '}
            {sequence === null ? null : (
              <span className="number muted">{range(sequence, difference)}</span>
            )}{' '}
          </>
        )}
        <span className="comparison">{texts[comparison]}</span>
      </td>
    </tr>
  );
}
