import { Link } from 'react-router';
import type { GradeView } from '../../../contract/grade.js';
import { decisionText } from '../../../contract/report-text/decision-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { day, memberName, members, percentText } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';
import { TableHead } from '../../shared/table-head.js';
import { signedCents } from '../bets/format-bets.js';
import { comparisonText, outcomeText } from './format-grade.js';

interface GradePartProps {
  readonly grade: GradeView;
  readonly runtime: RuntimeView;
}

/** The outcome of the event, and the scores of the council, the market and the members. */
export function GradePart({ grade, runtime }: GradePartProps) {
  const { scores } = grade;
  return (
    <FoldedPart id="grade" title="Outcome" inside="How estimate, council, market and members scored">
      <p className="lead">
        {outcomeText(grade, runtime.exclusive)} {scores === null ? '' : comparisonText(scores)}
      </p>
      {scores === null ? null : <Scores scores={scores} hasEstimate={runtime.estimate !== null} />}
      {scores === null || scores.bets.length === 0 ? null : <GradedBets bets={scores.bets} />}
      <p className="muted small">
        {decisionText(grade)} Resolved by <time dateTime={grade.resolved_at}>{day(grade.resolved_at)}</time>,
        graded on <time dateTime={grade.graded_at}>{day(grade.graded_at)}</time> with the rules {grade.grader}
        .{grade.corrected ? ' This grade corrects an earlier one; both are kept.' : ''}{' '}
        <Link to="/track-record">The track record of all reports</Link>
      </p>
    </FoldedPart>
  );
}

type Scores = NonNullable<GradeView['scores']>;
type Score = Scores['council'];

function Scores({ scores, hasEstimate }: { scores: Scores; hasEstimate: boolean }) {
  const rows: readonly (readonly [name: string, score: Score])[] = [
    ['Council', scores.council],
    ['Market', scores.market],
    ...(hasEstimate ? [['Estimate', scores.estimate] as const] : []),
    ['Blend', scores.blend],
    ...(scores.first_council === null ? [] : [['Council before the review', scores.first_council] as const]),
    ['Mean of the members', scores.mean],
    ...memberScores(scores).map(([model, score]) => [memberName(model), score] as const),
  ];
  return (
    <table className="grade-scores">
      <caption>
        The Brier score is the squared distance from what happened: 0 is certain and right, 2 certain and
        wrong, 0.5 undecided. The log score penalises confident mistakes more. Lower is better for both. Hit
        means that the favourite happened. The blend is one fifth council and four fifths market, without
        learnt weights.
      </caption>
      <TableHead texts={['Forecaster']} numbers={['Brier', 'Log score', 'Hit']} />
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

function memberScores({ members: scores }: Scores) {
  return members.flatMap(model => {
    const score = scores[model];
    return score === undefined ? [] : [[model, score] as const];
  });
}

function hitText(hit: number): string {
  if (hit === 1) return 'yes';
  return hit === 0 ? 'no' : percentText(hit * 100);
}

function GradedBets({ bets }: Pick<Scores, 'bets'>) {
  return (
    <table className="graded-bets">
      <caption>Return of one dollar on each bet, at the price in the report.</caption>
      <TableHead texts={['Bet', 'Result']} numbers={['Return per dollar']} />
      <tbody>
        {bets.map(({ market, side, kind, won, open, return_per_dollar: perDollar }) => (
          <tr key={market + side}>
            <th scope="row">
              {side === 'BUY_YES' ? 'YES' : 'NO'} on “{market}”, {kind}
            </th>
            <td>{open ? 'open' : won === null ? 'returned' : won ? 'won' : 'lost'}</td>
            <td className="number">{open ? 'none' : signedCents(perDollar)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
