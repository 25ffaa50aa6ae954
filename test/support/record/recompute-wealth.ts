import { mean, sum } from './recompute-intervals.js';
import type { GradedReport } from './recompute-scores.js';

/** What a dollar has become that was staked against the prices, from the rows alone. Without the texts. */
export function wealthOf(graded: readonly GradedReport[]) {
  const bets = (kinds: readonly string[]) =>
    wealth(graded, ({ row }) =>
      row.bets
        .filter(({ won, kind }: any) => won !== null && kinds.includes(kind))
        .map(({ won, payout_per_dollar: payout }: any) => (won ? payout : -1)),
    );
  return {
    council: wealth(graded, report => likelihoods(report, 'council')),
    estimate: wealth(graded, report => likelihoods(report, 'estimate')),
    bets: bets(['edge', 'pick']),
    edge_bets: bets(['edge']),
    picks: bets(['pick']),
  };
}

/** The likelihood ratio of a forecaster and the market, less 1, on each question of a row. */
function likelihoods({ row, scores }: GradedReport, name: 'council' | 'estimate'): number[] {
  if (!scores[name] || !scores['market']) return [];
  const scored = row.outcomes.filter((each: any) => each.happened !== null);
  const questions = row.exclusive
    ? [
        {
          sets: [scored.map((o: any) => o[name]), scored.map((o: any) => o.market)],
          y: scored.map((o: any) => o.happened),
        },
      ]
    : scored.map((o: any) => ({
        sets: [
          [o[name], 100 - o[name]],
          [o.market, 100 - o.market],
        ],
        y: [o.happened, 1 - o.happened],
      }));
  return questions.map(({ sets, y }: { sets: number[][]; y: number[] }) => {
    const [p, q] = sets.map(set => unit(unit(set).map(each => Math.max(0.001, each)))[y.indexOf(1)] ?? 0);
    return (p ?? 0) / (q ?? 1) - 1;
  });
}

const unit = (set: readonly number[]) => set.map(each => each / sum(set));

function wealth(graded: readonly GradedReport[], returnsOf: (report: GradedReport) => number[]) {
  const decided = new Map<string, { at: string; id: number; returns: number[] }>();
  for (const report of graded) {
    const returns = returnsOf(report);
    const { report_id: id, resolution } = report.row;
    if (returns.length > 0 && !decided.has(report.event))
      decided.set(report.event, { at: resolution.observed_at, id, returns });
  }
  const ordered = [...decided.values()].sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id);
  const stakes = [0.05, 0.1, 0.2, 0.4, 0.8];
  const dollars = stakes.map(() => 1 / stakes.length);
  const path = ordered.map(({ returns }) => {
    for (const [place, stake] of stakes.entries())
      dollars[place] = (dollars[place] ?? 0) * (1 + stake * mean(returns));
    return Math.log(sum(dollars));
  });
  return {
    n: ordered.reduce((total, { returns }) => total + returns.length, 0),
    events: ordered.length,
    log_wealth: path.at(-1) ?? 0,
    max_log_wealth: Math.max(0, ...path),
  };
}
