import { mean, sum } from './recompute-intervals.js';

export type Score = { brier: number; log_score: number; hit: number } | null;

export interface GradedReport {
  readonly row: any;
  readonly event: string;
  readonly scores: Record<string, Score>;
}

/** The scores of all forecasters for one row, from percentages and outcome. */
export function scoresOf(row: any): Record<string, Score> {
  const outcomes = row.outcomes.filter((each: any) => each.happened !== null);
  const y: number[] = outcomes.map((each: any) => each.happened);
  const column = (of: (outcome: any) => number | null | undefined): number[] | null => {
    const numbers = outcomes.map(of);
    return numbers.some((each: any) => each === null || each === undefined)
      ? null
      : numbers.map((each: number) => each / 100);
  };
  const unit = (p: number[] | null) => (p === null || !row.exclusive ? p : p.map(each => each / sum(p)));
  const score = (p: number[] | null): Score => {
    if (p === null) return null;
    if (row.exclusive) return together(p, y);
    const each = p.map((yes, i) => together([yes, 1 - yes], [y[i] ?? 0, 1 - (y[i] ?? 0)]));
    return {
      brier: mean(each.map(s => s.brier)),
      log_score: mean(each.map(s => s.log_score)),
      hit: mean(each.map(s => s.hit)),
    };
  };
  const [council, market] = [column(o => o.council), column(o => o.market)];
  const alone = (opinions: 'members' | 'first_members') =>
    [...new Set<string>(outcomes.flatMap((each: any) => Object.keys(each[opinions])))].map(
      name => [name, unit(column(o => o[opinions][name]))] as const,
    );
  const members = alone('members');
  const whole = members.flatMap(([, p]) => (p === null ? [] : [p]));
  return {
    council: score(council),
    market: score(market),
    blend: council === null || market === null ? null : score(blended(council, market, row.exclusive)),
    mean: whole.length === 0 ? null : score(y.map((_, i) => mean(whole.map(p => p[i] ?? 0)))),
    estimate: score(column(o => o.estimate)),
    ...(outcomes.some((each: any) => each.outside_view !== undefined)
      ? { outside_view: score(column(o => o.outside_view)) }
      : {}),
    first_council: score(column(o => o.first_council)),
    ...Object.fromEntries(members.map(([name, p]) => [name, score(p)])),
    ...Object.fromEntries(alone('first_members').map(([name, p]) => [`first ${name}`, score(p)])),
  };
}

function together(p: number[], y: number[]) {
  const given = p[y.indexOf(1)] ?? 0;
  const top = Math.max(...p);
  const favourites = p.filter(each => Math.abs(each - top) < 1e-9).length;
  return {
    brier: sum(p.map((each, i) => (each - (y[i] ?? 0)) ** 2)),
    log_score: -Math.log(Math.max(0.001, given)),
    hit: Math.abs(given - top) < 1e-9 ? 1 / favourites : 0,
  };
}

/**
 * A fifth council, four fifths market, as a weighted geometric mean with the floor that the method describes.
 */
function blended(council: number[], market: number[], exclusive: boolean): number[] {
  if (!exclusive)
    return council.map((p, i) => geometric([p, 1 - p], [market[i] ?? 0, 1 - (market[i] ?? 0)])[0] ?? 0);
  return geometric(
    council.map(p => p / sum(council)),
    market.map(p => p / sum(market)),
  );
}

function geometric(one: number[], other: number[]): number[] {
  const raised = one.map((p, i) => {
    const q = other[i] ?? 0;
    const floor = Math.min(0.01, Math.max(0.02 / one.length, p, q));
    const clamp = (value: number) => Math.min(0.99, Math.max(floor, value));
    return clamp(p) ** 0.2 * clamp(q) ** 0.8;
  });
  return raised.map(p => p / sum(raised));
}
