import { clustered, mean, meanOrNull, sum, votes } from './recompute-intervals.js';
import type { GradedReport } from './recompute-scores.js';

const names = ['claude', 'gpt', 'gemini', 'grok'];

/** How alike the members err, and the council without each of them, from the rows alone. */
export function membersOf(graded: readonly GradedReport[]) {
  const reports = graded.map(({ row, event }) => {
    const scored = row.outcomes.filter((each: any) => each.happened !== null);
    const y: number[] = scored.map((each: any) => each.happened);
    const rows = names.flatMap(name => {
      const given: (number | undefined)[] = scored.map((each: any) => each.members[name]);
      const p = given.flatMap(each => (each === undefined ? [] : [each / 100]));
      if (p.length < y.length || (row.exclusive && sum(p) === 0)) return [];
      return [{ name, p: row.exclusive ? p.map(each => each / sum(p)) : p }];
    });
    return { event, y, rows, exclusive: row.exclusive as boolean };
  });
  return { error_correlation: correlations(reports), left_out: leftOut(reports) };
}

interface Report {
  readonly event: string;
  readonly y: readonly number[];
  readonly rows: readonly { name: string; p: number[] }[];
  readonly exclusive: boolean;
}

function correlations(reports: readonly Report[]) {
  const pairs = [0, 1, 2].flatMap(i => names.slice(i + 1).map(other => [names[i] ?? '', other] as const));
  const found = pairs.map(members => {
    const both = reports.flatMap(({ event, y, rows, exclusive }) => {
      const [a, b] = members.map(name =>
        rows.find(row => row.name === name)?.p.map((p, k) => p - (y[k] ?? 0)),
      );
      return a && b ? [{ event, exclusive, a, b }] : [];
    });
    const product = (of: (each: (typeof both)[number]) => readonly [number[], number[]]) =>
      meanOrNull(
        votes(
          both.map(each => {
            const [one, other] = of(each);
            const total = sum(one.map((error, k) => error * (other[k] ?? 0)));
            return { event: each.event, value: each.exclusive ? total : (2 * total) / one.length };
          }),
        ),
      );
    const [ab, aa, bb] = [product(e => [e.a, e.b]), product(e => [e.a, e.a]), product(e => [e.b, e.b])];
    return {
      members: [...members],
      n: both.length,
      events: new Set(both.map(({ event }) => event)).size,
      correlation: ab === null || !aa || !bb ? null : ab / Math.sqrt(aa * bb),
    };
  });
  const known = found.flatMap(({ correlation }) => (correlation === null ? [] : [correlation]));
  const average = meanOrNull(known);
  return {
    mean: average,
    effective_members: average === null || 1 + 3 * average <= 0 ? null : 4 / (1 + 3 * average),
    pairs: found,
  };
}

function leftOut(reports: readonly Report[]) {
  return Object.fromEntries(
    names.map(name => {
      const with_ = reports.filter(({ rows }) => rows.length > 1 && rows.some(row => row.name === name));
      const measured = with_.map(({ event, y, rows, exclusive }) => {
        const all = pooled(
          rows.map(({ p }) => p),
          exclusive,
        );
        const others = pooled(
          rows.flatMap(row => (row.name === name ? [] : [row.p])),
          exclusive,
        );
        const [first, second] = [brier(others, y, exclusive), brier(all, y, exclusive)];
        const apart = others.map((p, k) => p - (all[k] ?? 0));
        const width = exclusive
          ? 2 * (Math.max(...apart) - Math.min(...apart))
          : 4 * mean(apart.map(Math.abs));
        return { event, first, second, value: first - second, width };
      });
      const average = (of: 'first' | 'second') =>
        meanOrNull(votes(measured.map(each => ({ event: each.event, value: each[of] }))));
      const figures = clustered(measured, { slices: 4, rho: 0.5 });
      return [name, { ...figures, without_brier: average('first'), council_brier: average('second') }];
    }),
  );
}

function brier(p: readonly number[], y: readonly number[], exclusive: boolean): number {
  const squares = p.map((each, k) => (each - (y[k] ?? 0)) ** 2);
  return exclusive ? sum(squares) : 2 * mean(squares);
}

/** The geometric mean of the members, each raised to the floor that the method describes. */
function pooled(rows: readonly number[][], exclusive: boolean): number[] {
  if (!exclusive)
    return (rows[0] ?? []).map(
      (_, k) =>
        pooled(
          rows.map(p => [p[k] ?? 0, 1 - (p[k] ?? 0)]),
          true,
        )[0] ?? 0,
    );
  const means = (rows[0] ?? []).map((_, k) => {
    const column = rows.map(p => p[k] ?? 0);
    const floor = Math.min(0.01, Math.max(0.02 / (rows[0] ?? []).length, ...column));
    return Math.exp(mean(column.map(p => Math.log(Math.min(0.99, Math.max(floor, p))))));
  });
  return means.map(each => each / sum(means));
}
