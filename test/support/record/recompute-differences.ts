import { clustered, mean, meanOrNull, sum, votes } from './recompute-intervals.js';
import type { GradedReport } from './recompute-scores.js';

/** The Brier score of one forecaster minus that of another, on the reports that score both. */
export function differenceOf(
  graded: readonly GradedReport[],
  [one, other]: readonly [string, string],
  slices: number,
) {
  const pairs = graded.flatMap(({ row, event, scores }) => {
    const [first, second] = [scores[one] ?? null, scores[other] ?? null];
    return first && second ? [{ row, event, first: first.brier, second: second.brier }] : [];
  });
  const differences = pairs.map(({ row, event, first, second }) => ({
    event,
    value: first - second,
    width: possible(row, one, other),
  }));
  const briers = (of: 'first' | 'second') =>
    meanOrNull(votes(pairs.map(pair => ({ event: pair.event, value: pair[of] }))));
  return {
    ...clustered(differences, { slices, rho: 0.5 }),
    [`${one}_brier`]: briers('first'),
    [`${other}_brier`]: briers('second'),
  };
}

/** The greatest less the least difference that the outcome could have made: every possible outcome is tried. */
function possible(row: any, one: string, other: string): number {
  const scored = row.outcomes.filter((each: any) => each.happened !== null);
  const brier = (p: number[], y: number[]) => sum(p.map((each, i) => (each - (y[i] ?? 0)) ** 2));
  const [first, second] = [scored.map((o: any) => o[one] / 100), scored.map((o: any) => o[other] / 100)];
  const spread = (p: number[], q: number[]) => {
    const differences = p.map((_, winner) => {
      const y = p.map((__, i) => (i === winner ? 1 : 0));
      return brier(p, y) - brier(q, y);
    });
    return Math.max(...differences) - Math.min(...differences);
  };
  if (row.exclusive) return spread(first, second);
  return mean(first.map((p: number, i: number) => spread([p, 1 - p], [second[i], 1 - second[i]])));
}

/** The means of one forecaster's scores over the events. */
export function figures(graded: readonly GradedReport[], name: string) {
  const given = graded.flatMap(({ event, scores }) => {
    const score = scores[name] ?? null;
    return score === null ? [] : [{ event, score }];
  });
  const of = (field: 'brier' | 'log_score' | 'hit') =>
    meanOrNull(votes(given.map(({ event, score }) => ({ event, value: score[field] }))));
  return {
    brier: of('brier'),
    log_score: of('log_score'),
    hit_rate: of('hit'),
    n: given.length,
    events: votes(given.map(({ event }) => ({ event, value: 0 }))).length,
  };
}
