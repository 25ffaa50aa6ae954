import { differenceOf, figures } from './recompute-differences.js';
import {
  clustered,
  described,
  type Measured,
  mean,
  meanOrNull,
  sum,
  votes,
  wilson,
} from './recompute-intervals.js';
import { membersOf } from './recompute-members.js';
import { type GradedReport, scoresOf } from './recompute-scores.js';
import { stakesOf } from './recompute-stakes.js';
import { wealthOf } from './recompute-wealth.js';

/**
 * Recalculates the published figures from the exported rows alone, as an independent reader would: shares no
 * code with the service, and ignores a row's `scores` and `return_per_dollar`. Each event has one vote: the mean of what
 * is measured on it.
 */
export function recomputeTrackRecord(rows: readonly any[]) {
  const graded = rows
    .filter(row => row.state === 'graded')
    .map(row => ({ row, event: row.event_id, scores: scoresOf(row) }));
  const firsts = graded.filter(
    (each, index) => graded.findIndex(({ event }) => event === each.event) === index,
  );
  const where = (slices: number, test: (row: any) => boolean) =>
    summaryOf(
      graded.filter(({ row }) => test(row)),
      slices,
    );
  const all = summaryOf(graded, 1);
  const bets = graded.flatMap(({ row, event }) =>
    row.bets
      .filter((bet: any) => bet.won !== null)
      .map((bet: any) => ({
        event,
        kind: bet.kind,
        value: bet.won ? bet.payout_per_dollar : -1,
        width: 1 + bet.payout_per_dollar,
        claimed: bet.win_probability,
        won: bet.won ? 1 : 0,
        payout: bet.payout_per_dollar,
      })),
  );
  const paired: any = all.paired_difference;
  return {
    figures_version: 'figures/2',
    events: firsts.length,
    ...all,
    blend: figures(graded, 'blend'),
    estimate: figures(graded, 'estimate'),
    estimate_difference: differenceOf(graded, ['estimate', 'market'], 1),
    review: differenceOf(graded, ['council', 'first_council'], 1),
    skill: paired.n === 0 ? null : 1 - (paired.council_brier ?? 0) / (paired.market_brier ?? 0),
    calibration: calibration(graded),
    by_model: Object.fromEntries(
      ['claude', 'gpt', 'gemini', 'grok', 'mean'].map(name => [name, figures(graded, name)]),
    ),
    by_action: Object.fromEntries(
      ['BUY_YES', 'BUY_NO', 'SKIP'].map(action => [action, where(3, row => row.action === action)]),
    ),
    by_flag: {
      degraded: where(4, row => row.degraded),
      not_degraded: where(4, row => !row.degraded),
      conflict: where(4, row => row.conflict),
      no_conflict: where(4, row => !row.conflict),
    },
    by_evidence: Object.fromEntries(
      ['searched', 'partial', 'none', 'not_searched'].map(status => [status, bySearch(graded, status)]),
    ),
    by_category: byCategory(graded),
    outside_view: outsideView(rows),
    members: membersOf(graded),
    wealth: wealthOf(graded),
    stakes: stakesOf(graded),
    bets: {
      ...returns(bets, 1),
      by_kind: {
        edge: returns(
          bets.filter(({ kind }: any) => kind === 'edge'),
          2,
        ),
        pick: returns(
          bets.filter(({ kind }: any) => kind === 'pick'),
          2,
        ),
      },
    },
    slice_adjustment: {
      by_model: 'none',
      by_action: 'bonferroni',
      by_flag: 'bonferroni',
      by_evidence: 'bonferroni',
      by_category: 'bonferroni',
      bets_by_kind: 'bonferroni',
      left_out: 'bonferroni',
      wealth: 'none',
    },
    first_report_per_event: summaryOf(firsts, 1),
    rules_unchanged: where(1, row => !row.rules_changed),
  };
}

function summaryOf(graded: readonly GradedReport[], slices: number) {
  return {
    council: figures(graded, 'council'),
    market: figures(graded, 'market'),
    paired_difference: differenceOf(graded, ['council', 'market'], slices),
  };
}

/** Base rates alone beside the others, where they are a forecast: of two outcomes, of which they speak of the first. */
function outsideView(rows: readonly any[]) {
  const asForecaster = rows
    .filter(row => row.state === 'graded' && row.exclusive && row.outcomes.length === 2)
    .flatMap(({ outside_view: [view], outcomes: [first, second], ...row }) => {
      if (view === undefined) return [];
      const p = view.probability;
      return {
        ...row,
        outcomes: [
          { ...first, outside_view: p },
          { ...second, outside_view: 100 - p },
        ],
      };
    })
    .map(row => ({ row, event: row.event_id, scores: scoresOf(row) }));
  return {
    ...Object.fromEntries(
      ['outside_view', 'council', 'market', 'estimate'].map(name => [name, figures(asForecaster, name)]),
    ),
    difference: differenceOf(asForecaster, ['council', 'outside_view'], 1),
  };
}

/** The ten categories with the most events, the others, and none. An event has the category of its first report. */
function byCategory(graded: readonly GradedReport[]) {
  const ofEvent = new Map<string, string | null>();
  for (const { row, event } of graded) if (!ofEvent.has(event)) ofEvent.set(event, row.category);
  const all = [...ofEvent.values()];
  const size = (name: string) => all.filter(each => each === name).length;
  const names = [...new Set(all)]
    .flatMap(name => (name === null ? [] : [name]))
    .sort((a, b) => size(b) - size(a) || (a < b ? -1 : 1));
  const slice = (name: object, test: (category: string | null) => boolean) => {
    const inside = graded.filter(({ event }) => test(ofEvent.get(event) ?? null));
    return {
      ...name,
      ...summaryOf(inside, 12),
      estimate: figures(inside, 'estimate'),
      estimate_difference: differenceOf(inside, ['estimate', 'market'], 12),
    };
  };
  const rest = names.slice(10);
  return [
    ...names
      .slice(0, 10)
      .map(category => slice({ slice: 'category', category, categories: 1 }, each => each === category)),
    ...(rest.length === 0
      ? []
      : [
          slice(
            { slice: 'other', category: null, categories: rest.length },
            each => each !== null && rest.includes(each),
          ),
        ]),
    ...(all.includes(null)
      ? [slice({ slice: 'none', category: null, categories: 0 }, each => each === null)]
      : []),
  ];
}

/** One group of reports by what their members looked up, and how far from the price the council was in it. */
function bySearch(all: readonly GradedReport[], status: string) {
  const graded = all.filter(
    ({ row }) => (row.evidence === null ? 'not_searched' : row.evidence.status) === status,
  );
  const apart = graded
    .filter(({ scores }) => scores['council'] && scores['market'])
    .map(({ row, event }) => ({ event, value: apartPoints(row) }));
  return {
    ...summaryOf(graded, 4),
    estimate: figures(graded, 'estimate'),
    market_distance_points: described(apart),
  };
}

/** What has to move for council and market to agree: above the market on some outcomes is below it on others. */
function apartPoints({ outcomes, exclusive }: any): number {
  const scored = outcomes.filter((each: any) => each.happened !== null);
  const above = scored.map(({ council, market }: any) => council - market);
  return exclusive
    ? sum(above.map((each: number) => Math.max(0, each)))
    : mean(above.map((each: number) => Math.abs(each)));
}

interface SettledBet extends Measured {
  /** Percent; null if the record does not have it. */
  readonly claimed: number | null;
  readonly won: number;
  readonly payout: number;
}

function returns(bets: readonly SettledBet[], slices: number) {
  const { mean, ...rest } = clustered(bets, { slices, rho: 50 });
  const claims = bets.flatMap(bet => (bet.claimed === null ? [] : [{ ...bet, claimed: bet.claimed / 100 }]));
  const of = (value: (bet: (typeof claims)[number]) => number) =>
    claims.map(bet => ({ event: bet.event, value: value(bet), width: 1 }));
  const average = (value: (bet: (typeof claims)[number]) => number) => meanOrNull(votes(of(value)));
  return {
    ...rest,
    mean_return_per_dollar: mean,
    claims: {
      ...clustered(
        of(({ won, claimed }) => won - claimed),
        { slices, rho: 10 },
      ),
      claimed_win_rate: average(({ claimed }) => claimed),
      actual_win_rate: average(({ won }) => won),
      claimed_return_per_dollar: average(({ claimed, payout }) => claimed * (payout + 1) - 1),
      actual_return_per_dollar: average(({ value }) => value),
    },
  };
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
    const shares = votes(inside.map(({ event, happened }) => ({ event, value: happened })));
    const share = meanOrNull(shares);
    return {
      from: bin / 10,
      to: (bin + 1) / 10,
      n: inside.length,
      events: shares.length,
      mean_probability: meanOrNull(
        votes(inside.map(({ event, percent }) => ({ event, value: percent / 100 }))),
      ),
      share_happened: share,
      interval_95: share === null ? null : wilson(share, shares.length),
    };
  });
}
