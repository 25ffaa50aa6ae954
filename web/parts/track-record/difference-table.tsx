import type { TrackRecordView } from '../../../contract/track-record.js';
import { comparisonOf, scoreWords } from './comparison.js';
import { Figure } from './figure.js';
import { counted, difference, range, score } from './figure-text.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';
import { reachOf } from './scale.js';

type Difference = TrackRecordView['paired_difference'];

interface DifferenceTableProps {
  readonly caption: string;
  readonly rows: readonly { readonly name: string; readonly difference: Difference }[];
}

/** Council against market on the same reports, one group a row, all on one scale. */
export function DifferenceTable({ caption, rows }: DifferenceTableProps) {
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
            Difference of Brier scores, and its 95 % interval
            <IntervalAxis reach={reach} written={difference} sides={['council better', 'market better']} />
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, difference: found }) => (
          <DifferenceLine key={name} name={name} found={found} reach={reach} />
        ))}
      </tbody>
    </table>
  );
}

function DifferenceLine({ name, found, reach }: { name: string; found: Difference; reach: number }) {
  const { n, events, mean, interval_95: interval } = found;
  const comparison = comparisonOf(found);
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="of muted">
          {counted(n, 'report')}, {counted(events, 'event')}
        </span>
      </th>
      <td className="number">
        <Figure text={score(found.council_brier)} />
        <br />
        <Figure text={score(found.market_brier)} />
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
        <span className="in-words">{scoreWords[comparison]}</span>
      </td>
    </tr>
  );
}
