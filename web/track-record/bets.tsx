import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { comparisonOf, returnTexts } from './comparison.js';
import { counted, gain, range, reachOf } from './format-figures.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';

type Returns = TrackRecordView['bets']['by_kind']['edge'];

/** The return of a stake of one dollar on every bet. */
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
    <Part id="bets" title="Returns of the bets">
      <table className="differences">
        <caption>
          Mean net return of one dollar staked on every suggested bet, at the price in the report, fees
          included. Bets whose stake was returned are excluded.
        </caption>
        <thead>
          <tr>
            <th scope="col">Bets</th>
            <th scope="col">
              Return per dollar with its 95 % interval
              <IntervalAxis reach={reach} format={gain} sides={['loss', 'gain']} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, returns]) => (
            <BetRow key={name} name={name} returns={returns} reach={reach} />
          ))}
        </tbody>
      </table>
      <p>
        An edge bet is one whose price the council considered too low. A pick is the council’s favourite at a
        fair price. Returns vary far more than scores: a few long shots can make them look good or bad for a
        long time.
      </p>
    </Part>
  );
}

function BetRow({ name, returns, reach }: { name: string; returns: Returns; reach: number }) {
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
        <span className="comparison">{returnTexts[comparison]}</span>
      </td>
    </tr>
  );
}
