import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { comparisonOf, scoreWords } from './comparison.js';
import { Figure } from './figure.js';
import { counted, difference, range, reachOf, score } from './format-figures.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';

/** The comparison that the verdict rests on. */
export function DifferencePart({ record }: { readonly record: TrackRecordView }) {
  const { paired_difference: all, first_report_per_event: first, skill } = record;
  return (
    <Part id="difference" title="Was the council better than the market?">
      <DifferenceTable
        caption="Brier score of the council less that of the market, over the reports on which the market had a price too."
        rows={[
          { name: 'All reports', difference: all },
          { name: 'First report of each event', difference: first.paired_difference },
        ]}
      />
      <p>
        The point is what was measured; the line is where the truth may well be, given how few events there
        are. Where the line touches zero, nobody can tell council and market apart by these reports. Reports
        of one event stand or fall together and count as one; the second row takes only the first of each, so
        that no event counts more than another.
      </p>
      {skill === null ? null : (
        <p>
          What forecasters call skill is <strong className="number">{difference(skill)}</strong>: one less the
          council’s Brier score divided by the market’s. Above zero the council’s was the lower; whether that
          means anything, the interval says.
        </p>
      )}
    </Part>
  );
}

/** The same comparison on parts of the reports. */
export function GroupsPart({ record }: { readonly record: TrackRecordView }) {
  const { by_action: action, by_flag: flag } = record;
  return (
    <Part id="groups" title="By action, and by flag">
      <DifferenceTable
        caption="By what the report advised on the market it was asked about."
        rows={[
          { name: 'Buy yes', difference: action.BUY_YES.paired_difference },
          { name: 'Buy no', difference: action.BUY_NO.paired_difference },
          { name: 'Skip', difference: action.SKIP.paired_difference },
        ]}
      />
      <DifferenceTable
        caption="By what was unusual. Degraded: a model dropped out. Conflict: the council contradicted a sound market so strongly that the headline followed the market; the council’s own number is what is graded here."
        rows={[
          { name: 'Degraded', difference: flag.degraded.paired_difference },
          { name: 'Not degraded', difference: flag.not_degraded.paired_difference },
          { name: 'In conflict', difference: flag.conflict.paired_difference },
          { name: 'Not in conflict', difference: flag.no_conflict.paired_difference },
        ]}
      />
      <p className="muted small">
        Whoever looks at enough groups finds one that seems different by chance alone. These rows are good for
        asking questions, not for answering them.
      </p>
    </Part>
  );
}

type Difference = TrackRecordView['paired_difference'];

interface DifferenceTableProps {
  readonly caption: string;
  readonly rows: readonly { readonly name: string; readonly difference: Difference }[];
}

/** Council against market on the same reports, one group a row, all on one scale. */
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
