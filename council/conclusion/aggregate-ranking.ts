import type { CrossReview } from '../deliberation/stages.js';
import { type CouncilModel, councilModels } from '../models.js';
import { roundTo } from '../numbers.js';
import type { RankedMember } from '../report.js';
import { compareText } from '../text.js';

/**
 * All valid ballots as one ranking of the members: mean normalised Borda score, in which a ballot of m members
 * gives its first 1, its last 0 and the others even steps between. (Reviewers rank only the others, and where a
 * model has dropped out fewer of them; a ballot of one says nothing, and gives ½.)
 * Equals: who beats the other equals on more ballots, then by id. Members on no ballot come last, with score 0.
 * It explains, it sets no number.
 */
export function aggregateRanking(
  members: readonly CouncilModel[],
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
): RankedMember[] {
  const ballots = councilModels.flatMap(reviewer => {
    const ranking = reviews[reviewer]?.ranking;
    return ranking && isBallot(reviewer, ranking, members) ? [ranking] : [];
  });
  const scored = members.map(model => ({ model, ...bordaScore(model, ballots) }));
  const margin = (a: Scored): number =>
    sum(scored.filter(b => isTie(a, b)).map(b => pairwise(a.model, b.model, ballots)));
  return scored
    .map(each => ({ ...each, margin: margin(each) }))
    .sort(
      (a, b) =>
        Number(b.ballots > 0) - Number(a.ballots > 0) ||
        b.score - a.score ||
        b.margin - a.margin ||
        compareText(a.model, b.model),
    )
    .map(({ model, score, ballots }, index) => ({ model, rank: index + 1, score, ballots }));
}

type Ballot = readonly CouncilModel[];

interface Scored {
  readonly model: CouncilModel;
  readonly score: number;
  readonly ballots: number;
}

function isBallot(reviewer: CouncilModel, ranking: Ballot, members: readonly CouncilModel[]): boolean {
  const named = new Set(ranking);
  return (
    ranking.length > 0 &&
    named.size === ranking.length &&
    !named.has(reviewer) &&
    ranking.every(m => members.includes(m))
  );
}

/** Four decimals, so that equal means of thirds are equal. */
function bordaScore(model: CouncilModel, ballots: readonly Ballot[]): { score: number; ballots: number } {
  const points = ballots
    .filter(ballot => ballot.includes(model))
    .map(ballot => (ballot.length === 1 ? 0.5 : 1 - ballot.indexOf(model) / (ballot.length - 1)));
  const score = points.length === 0 ? 0 : roundTo(sum(points) / points.length, 4);
  return { score, ballots: points.length };
}

function isTie(a: Scored, b: Scored): boolean {
  return a.model !== b.model && a.score === b.score;
}

/** On how many more ballots a stands before b than behind. */
function pairwise(a: CouncilModel, b: CouncilModel, ballots: readonly Ballot[]): number {
  const both = ballots.filter(ballot => ballot.includes(a) && ballot.includes(b));
  return sum(both.map(ballot => Math.sign(ballot.indexOf(b) - ballot.indexOf(a))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
