import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { comparisonOf, scoreTexts } from './comparison.js';
import { Figure } from './figure.js';
import { counted, difference, range, reachOf, score } from './format-figures.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';

/** The comparison that the verdict is based on. */
export function DifferencePart({ record }: { readonly record: TrackRecordView }) {
  const { paired_difference: all, first_report_per_event: first, skill } = record;
  return (
    <Part id="difference" title="Was the council better than the market?">
      <DifferenceTable
        caption="Brier score of the council minus that of the market, over the reports for which the market had a price."
        rows={[
          { name: 'All reports', difference: all },
          { name: 'First report of each event', difference: first.paired_difference },
        ]}
      />
      <p>
        The point is the measured difference, and the line its 95 % interval. Where the line includes zero,
        these reports do not show a difference between council and market. Reports on one event are
        correlated, so the interval treats them as one; the second row uses only the first report on each
        event.
      </p>
      {skill === null ? null : (
        <p>
          The skill score is <strong className="number">{difference(skill)}</strong>: 1 minus the council’s
          Brier score divided by the market’s. Above zero, the council scored better. The interval shows
          whether that is more than chance.
        </p>
      )}
    </Part>
  );
}

/** The same comparison for groups of reports. */
export function GroupsPart({ record }: { readonly record: TrackRecordView }) {
  const { by_action: action, by_flag: flag } = record;
  return (
    <Part id="groups" title="By action and by flag">
      <DifferenceTable
        caption="By the recommended action on the queried market."
        rows={[
          { name: 'Buy yes', difference: action.BUY_YES.paired_difference },
          { name: 'Buy no', difference: action.BUY_NO.paired_difference },
          { name: 'Skip', difference: action.SKIP.paired_difference },
        ]}
      />
      <DifferenceTable
        caption="By flag. Degraded: a model dropped out. Conflict: the council contradicted a reliable market so strongly that the headline followed the market; the council’s own forecast is graded here."
        rows={[
          { name: 'Degraded', difference: flag.degraded.paired_difference },
          { name: 'Not degraded', difference: flag.not_degraded.paired_difference },
          { name: 'In conflict', difference: flag.conflict.paired_difference },
          { name: 'Not in conflict', difference: flag.no_conflict.paired_difference },
        ]}
      />
      <p className="muted small">
        Among many groups, some differ by chance alone. Use these rows to raise questions, not to answer them.
      </p>
    </Part>
  );
}

type Difference = TrackRecordView['paired_difference'];

interface DifferenceTableProps {
  readonly caption: string;
  readonly rows: readonly { readonly name: string; readonly difference: Difference }[];
}

/** Council against market on the same reports, one group per row, all on one scale. */
function DifferenceTable({ caption, rows }: DifferenceTableProps) {
  const reach = reachOf(
    rows.flatMap(({ difference: { mean, interval_95: ends } }) => [mean ?? 0, ...(ends ?? [])]),
  );
  return (
    <table className="differences">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Reports</th>
          <th scope="col" className="number">
            <span className="swatch council" aria-hidden="true" />
            Council
            <br />
            <span className="swatch market" aria-hidden="true" />
            Market
          </th>
          <th scope="col">
            Difference of Brier scores with its 95 % interval
            <IntervalAxis reach={reach} format={difference} sides={['council better', 'market better']} />
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, difference: result }) => (
          <DifferenceRow key={name} name={name} result={result} reach={reach} />
        ))}
      </tbody>
    </table>
  );
}

function DifferenceRow({ name, result, reach }: { name: string; result: Difference; reach: number }) {
  const { n, events, mean, interval_95: interval } = result;
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
        <Figure text={score(result.council_brier)} />
        <br />
        <Figure text={score(result.market_brier)} />
      </td>
      <td>
        <IntervalPlot mean={mean} interval={interval} reach={reach} comparison={comparison} />
        {mean === null ? null : (
          <>
            <strong className="number">{difference(mean)}</strong>{' '}
            {interval === null ? null : (
              <span className="number muted">{range(interval, difference)}</span>
            )}{' '}
          </>
        )}
        <span className="comparison">{scoreTexts[comparison]}</span>
      </td>
    </tr>
  );
}
