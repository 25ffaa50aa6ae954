import { Link } from 'react-router';
import type { GradeView } from '../../../contract/grade.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { day, memberName, percent } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import { signedCents } from '../bets/format-bets.js';
import { comparisonText, outcomeText } from './format-grade.js';

interface GradePartProps {
  readonly grade: GradeView;
  readonly runtime: RuntimeView;
}

/** What happened, and how good everybody's numbers were. */
export function GradePart({ grade, runtime }: GradePartProps) {
  const { scores } = grade;
  return (
    <Part id="grade" title="What happened">
      <p className="lead">
        {outcomeText(grade, runtime.exclusive)} {scores === null ? '' : comparisonText(scores)}
      </p>
      {scores === null ? null : <Scores scores={scores} />}
      {scores === null || scores.bets.length === 0 ? null : <GradedBets bets={scores.bets} />}
      <p className="muted small">
        Settled by <time dateTime={grade.resolved_at}>{day(grade.resolved_at)}</time>, graded on{' '}
        <time dateTime={grade.graded_at}>{day(grade.graded_at)}</time> by the rules {grade.grader}.
        {grade.corrected ? ' An earlier grade was corrected by this one; both are kept.' : ''}{' '}
        <Link to="/track-record">The track record of all reports</Link>
      </p>
    </Part>
  );
}

type Scores = NonNullable<GradeView['scores']>;
type Score = Scores['council'];

function Scores({ scores }: { scores: Scores }) {
  const rows: readonly (readonly [name: string, score: Score])[] = [
    ['Council', scores.council],
    ['Market', scores.market],
    ['Blend', scores.blend],
    ['Mean of the members', scores.mean],
    ...runtimeMembers(scores).map(([model, score]) => [memberName(model), score] as const),
  ];
  return (
    <table className="grade-scores">
      <caption>
        Brier is the squared distance from what happened: 0 is certain and right, 2 certain and wrong, half
        and half 0.5. The log score punishes certain mistakes harder. Less is better in both. A hit: the
        favourite happened. The blend is a fifth council, the rest market.
      </caption>
      <thead>
        <tr>
          <th scope="col">Whose forecast</th>
          <th scope="col" className="number">
            Brier
          </th>
          <th scope="col" className="number">
            Log score
          </th>
          <th scope="col" className="number">
            Hit
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, score]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">{score === null ? 'none' : score.brier.toFixed(3)}</td>
            <td className="number">{score === null ? 'none' : score.log_score.toFixed(3)}</td>
            <td className="number">{score === null ? 'none' : hitText(score.hit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const memberOrder = ['claude', 'gpt', 'gemini', 'grok'] as const;

function runtimeMembers({ members }: Scores) {
  return memberOrder.flatMap(model => {
    const score = members[model];
    return score === undefined ? [] : [[model, score] as const];
  });
}

function hitText(hit: number): string {
  if (hit === 1) return 'yes';
  return hit === 0 ? 'no' : percent(hit * 100);
}

type GradedBet = NonNullable<GradeView['scores']>['bets'][number];

/** What became of a dollar on each of the bets. */
function GradedBets({ bets }: { readonly bets: readonly GradedBet[] }) {
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
