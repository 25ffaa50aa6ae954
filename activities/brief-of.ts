import type { BriefInput } from '../council/event-brief.js';
import { outcomeSet } from '../council/outcome-set.js';
import type { RunRow } from '../db/run.js';

export interface Brief extends BriefInput {
  readonly seed: string;
  /** How a member's distribution is judged: over exactly these names. */
  readonly rule: { readonly outcomes: readonly string[]; readonly exclusive: boolean };
}

/**
 * What every stage tells the models: the event as it was frozen, and nothing read since.
 * @throws Error when nothing has been frozen yet
 */
export function briefOf({ event, pricesAt, seed }: Pick<RunRow, 'event' | 'pricesAt' | 'seed'>): Brief {
  if (event === null || pricesAt === null) throw new Error('the run has no market snapshot');
  const set = outcomeSet(event);
  const rule = { outcomes: set.outcomes.map(({ name }) => name), exclusive: set.exclusive };
  return { event, set, asOf: pricesAt.toISOString(), seed, rule };
}
