import { changedSince, type Rules } from '../../council/market/rules.js';
import type { LaterRules } from '../../db/reports/event-rules.js';

/** What became of the rules that a report was sold by. */
export interface RulesChanges {
  /** When other rules were first read; null if none were. */
  readonly firstAt: Date | null;
  /** The ids of the sold markets whose rules had changed by then: a grade is by the rules that were seen until it was made. */
  until(time: Date): ReadonlySet<string>;
}

export function rulesChanges(sold: Rules, later: readonly LaterRules[]): RulesChanges {
  return {
    firstAt: later.find(({ rules }) => changedSince(sold, [rules]).size > 0)?.seenAt ?? null,
    until: time =>
      changedSince(
        sold,
        later.flatMap(({ seenAt, rules }) => (seenAt <= time ? [rules] : [])),
      ),
  };
}

/** Of a report without a market. */
export const noRulesChanges: RulesChanges = { firstAt: null, until: () => new Set() };
