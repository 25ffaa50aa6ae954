import type { GradeView } from '../../../contract/grade.js';
import { signedCents } from './bet-words.js';

type GradedBet = NonNullable<GradeView['scores']>['bets'][number];

/** What became of a dollar on each of the bets. */
export function GradedBets({ bets }: { readonly bets: readonly GradedBet[] }) {
  return (
    <table className="graded-bets">
      <caption>What became of a dollar on each bet, at the cost that the report named.</caption>
      <thead>
        <tr>
          <th scope="col">Bet</th>
          <th scope="col">Ended</th>
          <th scope="col" className="number">
            A dollar brought
          </th>
        </tr>
      </thead>
      <tbody>
        {bets.map(({ market, side, kind, won, return_per_dollar: brought }) => (
          <tr key={market + side}>
            <th scope="row">
              {side === 'BUY_YES' ? 'YES' : 'NO'} on “{market}”, {kind}
            </th>
            <td>{won === null ? 'given back' : won ? 'won' : 'lost'}</td>
            <td className="number">{signedCents(brought)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
