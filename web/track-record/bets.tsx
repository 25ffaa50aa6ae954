import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { comparisonOf, returnWords } from './comparison.js';
import { counted, gain, range, reachOf } from './format-figures.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';

type Returns = TrackRecordView['bets']['by_kind']['edge'];

/** What a dollar on every bet would have come to. */
export function BetsPart({ bets }: { readonly bets: TrackRecordView['bets'] }) {
  const rows: readonly (readonly [string, Returns])[] = [
    ['All bets', bets],
    ['Edge bets', bets.by_kind.edge],
    ['Picks', bets.by_kind.pick],
  ];
  const reach = reachOf(
    rows.flatMap(([, { mean_return_per_dollar: mean, interval_95: ends }]) => [mean ?? 0, ...(ends ?? [])]),
  );
  return (
    <Part id="bets" title="What the bets would have returned">
      <table className="differences">
        <caption>
          Mean net return of a dollar staked on every bet that a report named, at the price it named, fees
          included. Bets whose stake was given back are left out.
        </caption>
        <thead>
          <tr>
            <th scope="col">Bets</th>
            <th scope="col">
              Return per dollar, and its 95 % interval
              <IntervalAxis reach={reach} written={gain} sides={['lost', 'made']} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, returns]) => (
            <BetLine key={name} name={name} returns={returns} reach={reach} />
          ))}
        </tbody>
      </table>
      <p>
        An edge bet is one whose price the council thought too low; a pick is its favourite where it saw no
        such price. Returns swing far more than scores do: a few long shots make them look good or bad for a
        long time.
      </p>
    </Part>
  );
}

function BetLine({ name, returns, reach }: { name: string; returns: Returns; reach: number }) {
  const { n, events, mean_return_per_dollar: mean, interval_95: interval } = returns;
  const comparison = comparisonOf(returns);
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="of muted">
          {counted(n, 'bet')}, {counted(events, 'event')}
        </span>
      </th>
      <td>
        <IntervalPlot mean={mean} interval={interval} reach={reach} comparison={comparison} />
        {mean === null ? null : (
          <>
            <strong className="number">{gain(mean)}</strong>{' '}
            {interval === null ? null : <span className="number muted">{range(interval, gain)}</span>}{' '}
          </>
        )}
        <span className="in-words">{returnWords[comparison]}</span>
      </td>
    </tr>
  );
}
