import type { BriefInput } from '../council/event-brief.js';
import { outcomeSet } from '../council/outcome-set.js';
import type { Db } from '../db/database.js';
import { type RunRow, readRun } from '../db/run.js';

export interface Brief extends BriefInput {
  readonly seed: string;
  /** How a member's distribution is judged: over exactly these names. */
  readonly rule: { readonly outcomes: readonly string[]; readonly exclusive: boolean };
}

interface FrozenRun extends Pick<RunRow, 'seed'> {
  readonly event: NonNullable<RunRow['event']>;
  readonly pricesAt: NonNullable<RunRow['pricesAt']>;
}

/** What every stage tells the models: the event as it was frozen, and nothing read since. */
export async function readBrief(db: Db, reportId: number): Promise<Brief> {
  const { event, pricesAt, seed } = await readRun(db, reportId);
  if (event === null || pricesAt === null) throw new Error(`report ${reportId} has no market snapshot`);
  return briefOf({ event, pricesAt, seed });
}

/** The brief of a run that was read already. */
export function briefOf({ event, pricesAt, seed }: FrozenRun): Brief {
  const set = outcomeSet(event);
  const rule = { outcomes: set.outcomes.map(({ name }) => name), exclusive: set.exclusive };
  return { event, set, asOf: pricesAt.toISOString(), seed, rule };
}
