import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { TableHead } from '../shared/table-head.js';
import { adjustmentTexts, comparisonOf, returnTexts } from './comparison.js';
import { Figure } from './figure.js';
import { counted, difference, dollarsOf, gain, points, range, reachOf, share } from './format-figures.js';
import { IntervalAxis, IntervalPlot } from './interval-plot.js';

type Returns = TrackRecordView['bets']['by_kind']['edge'];

/** The return of a stake of one dollar on every bet. */
export function BetRecordPart({ record }: { readonly record: TrackRecordView }) {
  const { bets, slice_adjustment: adjustment } = record;
  const rows: readonly (readonly [string, Returns])[] = [
    ['All bets', bets],
    ['Edge bets', bets.by_kind.edge],
    ['Picks', bets.by_kind.pick],
  ];
  const reach = reachOf(
    rows.flatMap(
      ([, { mean_return_per_dollar: mean, interval_95: ends, confidence_sequence_95: sequence }]) => [
        mean ?? 0,
        ...(ends ?? []),
        ...(sequence ?? []),
      ],
    ),
  );
  return (
    <Part id="bets" title="Returns of the bets">
      <table className="differences">
        <caption>
          Mean net return of one dollar staked on every suggested bet, at the price in the report, fees
          included. Each event has one vote. Bets whose stake was returned are excluded. Edge bets and picks:{' '}
          {adjustmentTexts[adjustment.bets_by_kind]}
        </caption>
        <thead>
          <tr>
            <th scope="col">Bets</th>
            <th scope="col">
              Return per dollar with its 95 % confidence sequence
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
        An edge bet is one whose price was too low by the estimate. A pick is the council’s favourite at a
        fair price, and claims nothing else. Returns vary far more than scores: a few long shots can make them
        look good or bad for a long time.
      </p>
      {bets.claims.n === 0 ? null : <ClaimsTable rows={rows} />}
      {record.stakes.n === 0 ? null : <StakesText stakes={record.stakes} />}
    </Part>
  );
}

function BetRow({ name, returns, reach }: { name: string; returns: Returns; reach: number }) {
  const { n, events, mean_return_per_dollar: mean } = returns;
  const { interval_95: interval, confidence_sequence_95: sequence } = returns;
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
        <IntervalPlot
          mean={mean}
          interval={interval}
          sequence={sequence}
          reach={reach}
          comparison={comparison}
        />
        {mean === null ? null : (
          <>
            <strong className="number">{gain(mean)}</strong>{' '}
            {sequence === null ? null : <span className="number muted">{range(sequence, gain)}</span>}{' '}
          </>
        )}
        <span className="comparison">{returnTexts[comparison]}</span>
      </td>
    </tr>
  );
}

/** What a bankroll became that followed the stakes of the reports. */
function StakesText({ stakes }: { readonly stakes: TrackRecordView['stakes'] }) {
  const { n, events, mean_log_growth: growth, confidence_sequence_95: sequence, bankroll } = stakes;
  return (
    <p>
      A dollar that followed the stakes of the first report on each event, on {counted(n, 'bet')} of{' '}
      {counted(events, 'event')}, has become{' '}
      <strong className="number">{dollarsOf(Math.log(bankroll))}</strong>. Its logarithm has grown by{' '}
      <span className="number">{difference(growth)}</span> an event (95 % confidence sequence{' '}
      <span className="number">{range(sequence, difference)}</span>); 0 is no growth.
    </p>
  );
}

/** What the bets claimed beside what came of them. */
function ClaimsTable({ rows }: { readonly rows: readonly (readonly [string, Returns])[] }) {
  return (
    <table className="scores">
      <caption>
        The win rate that the reports claimed beside the actual one, for the bets that were recorded with a
        win probability. The difference is actual minus claimed, with its 95 % confidence sequence.
      </caption>
      <TableHead texts={['Bets']} numbers={['Claimed', 'Actual', 'Difference, points']} />
      <tbody>
        {rows.map(([name, { claims }]) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <span className="of muted">
                {counted(claims.n, 'bet')}, {counted(claims.events, 'event')}
              </span>
            </th>
            <td className="number">
              <Figure text={share(claims.claimed_win_rate)} />
            </td>
            <td className="number">
              <Figure text={share(claims.actual_win_rate)} />
            </td>
            <td className="number">
              <Figure text={points(claims.mean)} />
              {claims.confidence_sequence_95 === null ? null : (
                <span className="of muted">{range(claims.confidence_sequence_95, points)}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
