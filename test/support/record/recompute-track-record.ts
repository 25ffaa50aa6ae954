/**
 * Recalculates the published figures from the exported rows alone, as an independent reader would: shares no
 * code with the service, and ignores a row's `scores` and `return_per_dollar`.
 */
export function recomputeTrackRecord(rows: readonly any[]) {
  const graded = rows
    .filter(row => row.state === 'graded')
    .map(row => ({ row, event: row.event_id, scores: scoresOf(row) }));
  const firsts = graded.filter(
    (each, index) => graded.findIndex(({ event }) => event === each.event) === index,
  );
  const where = (test: (row: any) => boolean) => summaryOf(graded.filter(({ row }) => test(row)));
  const all = summaryOf(graded);
  const bets = graded.flatMap(({ row, event }) =>
    row.bets
      .filter((bet: any) => bet.won !== null)
      .map((bet: any) => ({ event, kind: bet.kind, value: bet.won ? bet.payout_per_dollar : -1 })),
  );
  const paired = all.paired_difference;
  return {
    events: firsts.length,
    ...all,
    blend: figures(graded.map(({ scores }) => scores['blend'] ?? null)),
    skill: paired.n === 0 ? null : 1 - (paired.council_brier ?? 0) / (paired.market_brier ?? 0),
    calibration: calibration(graded),
    by_model: Object.fromEntries(
      ['claude', 'gpt', 'gemini', 'grok', 'mean'].map(name => [
        name,
        figures(graded.map(({ scores }) => scores[name] ?? null)),
      ]),
    ),
    by_action: Object.fromEntries(
      ['BUY_YES', 'BUY_NO', 'SKIP'].map(action => [action, where(row => row.action === action)]),
    ),
    by_flag: {
      degraded: where(row => row.degraded),
      not_degraded: where(row => !row.degraded),
      conflict: where(row => row.conflict),
      no_conflict: where(row => !row.conflict),
    },
    bets: {
      ...returns(bets),
      by_kind: {
        edge: returns(bets.filter(({ kind }: any) => kind === 'edge')),
        pick: returns(bets.filter(({ kind }: any) => kind === 'pick')),
      },
    },
    first_report_per_event: summaryOf(firsts),
  };
}

type Score = { brier: number; log_score: number; hit: number } | null;

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
  const names = [...new Set<string>(outcomes.flatMap((each: any) => Object.keys(each.members)))];
  const members = names.map(name => [name, unit(column(o => o.members[name]))] as const);
  const whole = members.flatMap(([, p]) => (p === null ? [] : [p]));
  return {
    council: score(council),
    market: score(market),
    estimate: score(column(o => o.estimate)),
    first_council: score(column(o => o.first_council)),
    blend: council === null || market === null ? null : score(blended(council, market, row.exclusive)),
    mean: whole.length === 0 ? null : score(y.map((_, i) => mean(whole.map(p => p[i] ?? 0)))),
    ...Object.fromEntries(members.map(([name, p]) => [name, score(p)])),
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

interface GradedReport {
  readonly row: any;
  readonly event: string;
  readonly scores: Record<string, Score>;
}

function summaryOf(graded: readonly GradedReport[]) {
  const pairs = graded.flatMap(({ event, scores: { council, market } }) =>
    council && market ? [{ event, council, market }] : [],
  );
  const differences = pairs.map(({ event, council, market }) => ({
    event,
    value: council.brier - market.brier,
  }));
  return {
    council: figures(graded.map(({ scores }) => scores['council'] ?? null)),
    market: figures(graded.map(({ scores }) => scores['market'] ?? null)),
    paired_difference: {
      ...clustered(differences),
      council_brier: pairs.length === 0 ? null : mean(pairs.map(({ council }) => council.brier)),
      market_brier: pairs.length === 0 ? null : mean(pairs.map(({ market }) => market.brier)),
    },
  };
}

function figures(scores: readonly Score[]) {
  const given = scores.flatMap(score => (score === null ? [] : [score]));
  const of = (field: 'brier' | 'log_score' | 'hit') =>
    given.length === 0 ? null : mean(given.map(score => score[field]));
  return { brier: of('brier'), log_score: of('log_score'), hit_rate: of('hit'), n: given.length };
}

function returns(bets: readonly { event: string; value: number }[]) {
  const { mean, ...rest } = clustered(bets);
  return { ...rest, mean_return_per_dollar: mean };
}

function calibration(graded: readonly GradedReport[]) {
  const judged = graded.flatMap(({ row, event }) =>
    row.outcomes
      .filter((each: any) => each.happened !== null && each.side === 'yes')
      .map((each: any) => ({ event, percent: each.council, happened: each.happened })),
  );
  return Array.from({ length: 10 }, (_, bin) => {
    const inside = judged.filter(
      ({ percent }) => percent >= bin * 10 && (percent < bin * 10 + 10 || bin === 9),
    );
    const n = inside.length;
    const share = n === 0 ? null : mean(inside.map(({ happened }) => happened));
    return {
      from: bin / 10,
      to: (bin + 1) / 10,
      n,
      events: new Set(inside.map(({ event }) => event)).size,
      mean_probability: n === 0 ? null : mean(inside.map(({ percent }) => percent / 100)),
      share_happened: share,
      interval_95: share === null ? null : wilson(share, n),
    };
  });
}

function wilson(share: number, n: number) {
  const z = 1.959963984540054;
  const root = z * Math.sqrt((4 * n * share * (1 - share) + z * z) / (4 * n * n));
  const ends = [-1, 1].map(sign => (share + (z * z) / (2 * n) + sign * root) / (1 + (z * z) / n));
  return ends.map(end => Math.min(1, Math.max(0, end)));
}

/**
 * Events are drawn whole: 2,000 times as many as there are, in the order of their first reports, by
 * mulberry32.
 */
function clustered(values: readonly { event: string; value: number }[]) {
  const events = [...new Set(values.map(({ event }) => event))];
  const clusters = events.map(event => values.filter(each => each.event === event).map(({ value }) => value));
  const next = mulberry32(fnv1a('council/bootstrap'));
  const means = Array.from({ length: events.length < 2 ? 0 : 2_000 }, () => {
    const drawn = clusters.map(() => clusters[Math.floor(next() * clusters.length)] ?? []);
    return sum(drawn.map(sum)) / sum(drawn.map(({ length }) => length));
  }).sort((a, b) => a - b);
  return {
    n: values.length,
    events: events.length,
    mean: values.length === 0 ? null : mean(values.map(({ value }) => value)),
    interval_95: means.length === 0 ? null : [means[49], means[1_950]],
  };
}

function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function fnv1a(text: string): number {
  return text
    .split('')
    .reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0, 2166136261);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
