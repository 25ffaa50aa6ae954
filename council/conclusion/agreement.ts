import type { CrossReview } from '../deliberation/stages.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import { dissentMinPoints } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at, atLeast, indexOfMax, roundTo, scaledToOne, sum, totalVariation } from '../numbers.js';
import type { Position, RankedMember } from '../report.js';
import { compareText } from '../text.js';
import type { MemberForecast } from './consensus.js';

/**
 * How far each member is from the council, and how far cross-review moved it. A member dissents if it is 15
 * points or more away from the council or, on an exclusive event, if it has another favourite. Dissent is
 * computed, so the synthesis cannot hide it.
 *
 * Distance in points is the total variation ½·Σ|p − q|; on independent markets, the widest gap on any of
 * them.
 *
 * @param council pooled probabilities (0..1), unrounded
 */
export function positions(
  set: OutcomeSet,
  council: readonly number[],
  forecasts: readonly MemberForecast[],
): Position[] {
  const councilFavourite = indexOfMax(council);
  return forecasts.map(({ model, first, fractions }) => {
    const final = comparable(set.exclusive, fractions);
    const favourite = indexOfMax(final);
    const points = distance(set.exclusive, final, council) * 100;
    const otherFavourite = set.exclusive && at(final, favourite) > at(final, councilFavourite);
    return {
      model,
      most_likely_outcome: at(set.outcomes, favourite).name,
      most_likely_probability: roundTo(at(final, favourite) * 100, 1),
      moved_points: roundTo(distance(set.exclusive, comparable(set.exclusive, first), final) * 100, 1),
      distance_points: roundTo(points, 1),
      dissents: otherFavourite || atLeast(points, dissentMinPoints),
    };
  });
}

/** A member's forecast in the form in which {@link distance} compares it: a distribution adds up to 1. */
export function comparable(exclusive: boolean, fractions: readonly number[]): readonly number[] {
  return exclusive ? scaledToOne(fractions) : fractions;
}

/**
 * The distance (0..1) of two comparable forecasts: the total variation ½·Σ|p − q| of distributions; on independent
 * markets, the widest gap on any of them.
 */
export function distance(exclusive: boolean, one: readonly number[], other: readonly number[]): number {
  if (exclusive) return totalVariation(one, other);
  return Math.max(...one.map((p, index) => Math.abs(p - at(other, index))));
}

/**
 * The members ranked by the mean normalised Borda score of all valid ballots: a ballot of m members gives its
 * first 1, its last 0 and the others even steps in between. Reviewers rank only the others, and fewer if a
 * model dropped out; a ballot of one carries no information and gives ½. Ties go to the member that beats the
 * tied others on more ballots, then by id. Members on no ballot come last with score 0. The ranking explains
 * the report and changes no number.
 */
export function aggregateRanking(
  members: readonly CouncilModel[],
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
): RankedMember[] {
  const ballots = councilModels.flatMap(reviewer => {
    const ranking = reviews[reviewer]?.ranking;
    return ranking && isValidBallot(reviewer, ranking, members) ? [ranking] : [];
  });
  const scored = members.map(model => ({ model, ...bordaScore(model, ballots) }));
  const tied = (a: Scored, b: Scored) => a.model !== b.model && a.score === b.score;
  const margin = (a: Scored): number =>
    sum(scored.filter(b => tied(a, b)).map(b => pairwiseMargin(a.model, b.model, ballots)));
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

type Scored = Pick<RankedMember, 'model' | 'score' | 'ballots'>;

function isValidBallot(reviewer: CouncilModel, ranking: Ballot, members: readonly CouncilModel[]): boolean {
  const named = new Set(ranking);
  return (
    ranking.length > 0 &&
    named.size === ranking.length &&
    !named.has(reviewer) &&
    ranking.every(model => members.includes(model))
  );
}

/** Rounded to four decimals, so that equal means of thirds compare as equal. */
function bordaScore(model: CouncilModel, ballots: readonly Ballot[]): { score: number; ballots: number } {
  const points = ballots
    .filter(ballot => ballot.includes(model))
    .map(ballot => (ballot.length === 1 ? 0.5 : 1 - ballot.indexOf(model) / (ballot.length - 1)));
  const score = points.length === 0 ? 0 : roundTo(sum(points) / points.length, 4);
  return { score, ballots: points.length };
}

/** The ballots that place `a` before `b`, minus those that place it behind. */
function pairwiseMargin(a: CouncilModel, b: CouncilModel, ballots: readonly Ballot[]): number {
  const both = ballots.filter(ballot => ballot.includes(a) && ballot.includes(b));
  return sum(both.map(ballot => Math.sign(ballot.indexOf(b) - ballot.indexOf(a))));
}
