import { isFinal } from '../../council/market/final-word.js';
import type { MarketOutcomes } from '../recorded-forecast.js';
import type { GradeState } from './grade.js';

/** A grade and what it is based on. */
export interface GradeBasis {
  readonly state: GradeState;
  readonly grader: string;
  readonly outcomes: MarketOutcomes;
}

/** Why a report got another grade, as shown to operators. */
export type GradeChangeReason =
  | 'first_grade'
  | 'dispute_ended'
  /** A final result of a market was replaced or taken back. */
  | 'result_changed'
  | 'more_markets_resolved'
  | 'new_grader';

/**
 * Why a grade followed another one.
 * @param before the grade that counted before; null if there was none
 */
export function reasonOfChange(
  before: GradeBasis | null,
  after: Omit<GradeBasis, 'state'>,
): GradeChangeReason {
  if (before === null) return 'first_grade';
  const markets = [...new Set([...Object.keys(before.outcomes), ...Object.keys(after.outcomes)])];
  const changed = markets.filter(market => before.outcomes[market] !== after.outcomes[market]);
  if (changed.some(market => isFinal(before.outcomes[market]))) return 'result_changed';
  if (changed.length === 0 && before.grader !== after.grader) return 'new_grader';
  return before.state === 'disputed' ? 'dispute_ended' : 'more_markets_resolved';
}
