import { atLeast, sum } from '../../council/numbers.js';
import { settleOutcomes } from '../grades/grade.js';
import type { MarketOutcomes } from '../recorded-forecast.js';
import type { GradableOutcome, GradableRow, GradeRules, RowRule, RowState } from './gradable-row.js';

/** What became of a row under the rules. */
export interface SettledRow {
  readonly state: RowState;
  /** The rule without which the row would be graded. */
  readonly left_out_by: RowRule | null;
  /** Aligned with the outcomes: 1 or 0, a share that was paid, or null without a result. All null unless it is graded. */
  readonly happened: readonly (number | null)[];
}

/** Settles the outcomes as the service's grader does, then applies the rules. */
export function settleRow(row: GradableRow, rules: GradeRules): SettledRow {
  const none = row.outcomes.map(() => null);
  if (row.outcomes.length === 0) return { state: 'no_forecast', left_out_by: null, happened: none };
  const settled = settledBy(row, row.resolutions);
  const happened = rules.scalar === 'in' ? withShares(row, settled.happened) : settled.happened;
  const isGraded = happened.some(share => share !== null);
  const rule = leftOutBy(row, rules);
  if (rule !== null && isGraded) return { state: 'left_out', left_out_by: rule, happened: none };
  if (isGraded) return { state: 'graded', left_out_by: null, happened };
  const couldCount = withShares(row, settled.happened).some(share => share !== null);
  return { state: settled.state, left_out_by: couldCount ? 'scalar' : null, happened: none };
}

/** By the service's rules alone. */
export function settledBy(
  { exclusive, outcomes }: Pick<GradableRow, 'exclusive' | 'outcomes'>,
  resolutions: MarketOutcomes,
): Pick<SettledRow, 'state' | 'happened'> {
  const settlement = settleOutcomes({ exclusive, outcomes, left_out: [] }, resolutions);
  const none = outcomes.map(() => null);
  if (settlement === 'pending') return { state: 'pending', happened: none };
  return settlement.state === 'graded' ? settlement : { state: settlement.state, happened: none };
}

function leftOutBy(row: GradableRow, rules: GradeRules): RowRule | null {
  if (rules.rules_changed === 'out' && row.rules_changed === true) return 'rules_changed';
  return rules.disputed === 'out' && row.disputed === true ? 'disputed' : null;
}

/** The shares that were paid where there is no YES or NO. Those of an exclusive set count if they add up to 1. */
function withShares(row: GradableRow, happened: SettledRow['happened']): SettledRow['happened'] {
  if (!row.exclusive) return happened.map((share, index) => share ?? shareOf(row, row.outcomes[index]));
  if (happened.some(share => share !== null)) return happened;
  const shares = row.outcomes.map(outcome => shareOf(row, outcome) ?? noShareOf(row, outcome));
  const known = shares.filter(share => share !== null);
  const isWhole = known.length === shares.length && sameNumber(sum(known), 1);
  return isWhole ? shares : happened;
}

function shareOf({ paid }: GradableRow, outcome: GradableOutcome | undefined): number | null {
  const yes = paid[outcome?.market_id ?? ''];
  if (outcome === undefined || yes === undefined) return null;
  return outcome.side === 'yes' ? yes : 1 - yes;
}

/** An outcome that did not happen has no share in what the others were paid. */
function noShareOf({ resolutions }: GradableRow, { market_id: market }: GradableOutcome): number | null {
  return market !== null && resolutions[market] === 'no' ? 0 : null;
}

/** Equal but for the noise of decimal arithmetic. */
export function sameNumber(one: number, other: number): boolean {
  return atLeast(one, other) && atLeast(other, one);
}
