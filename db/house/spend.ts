import { type NotNull, sql } from 'kysely';
import { endOfUtcDay, startOfUtcDay } from '../../council/calendar.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Lane, Pool } from '../../purchase/purchase.js';
import type { Db } from '../database.js';

/** The model calls of one group in a UTC day. */
export interface SpendLine {
  readonly lane: Lane;
  /** Which credits paid for the run; null on the subscription lane. */
  readonly pool: Pool | null;
  readonly model: CouncilModel;
  readonly stage: CallStage;
  readonly calls: number;
  /** Web searches. */
  readonly searches: number;
  readonly inputTokens: number;
  /** The part of the input that the vendors' prompt caches served. */
  readonly cachedInputTokens: number;
  /** The cost of the usage that the vendors reported. On `byok` the cost to the caller; the house pays nothing. */
  readonly costUsdMicros: number;
  /** The most that the vendors may bill besides, for usage that they did not report. */
  readonly estimatedUsdMicros: number;
  /** The part of both for calls whose answer was not used. */
  readonly unusedUsdMicros: number;
}

/**
 * The calls of a day by lane, pool, model and stage. Days before the oldest call that is kept have none.
 * @param day YYYY-MM-DD, UTC
 */
export async function readSpend(
  db: Db,
  { simulated, day }: { simulated: boolean; day: string },
): Promise<readonly SpendLine[]> {
  const rows = await db
    .selectFrom('provider_calls')
    .select(['lane', 'pool', 'model', 'stage'])
    .select(({ fn }) => [
      fn.countAll<number>().as('calls'),
      fn.sum<number>('searches').as('searches'),
      fn.sum<number>('input_tokens').as('inputTokens'),
      fn.sum<number>('cached_input_tokens').as('cachedInputTokens'),
      fn.sum<string>('cost_usd_micros').as('costUsdMicros'),
      fn.sum<string>('estimated_usd_micros').as('estimatedUsdMicros'),
      fn
        .sum<string | null>(sql`cost_usd_micros + estimated_usd_micros`)
        .filterWhere('used', '=', false)
        .as('unusedUsdMicros'),
    ])
    .where('simulated', '=', simulated)
    .where('called_at', '>=', startOfUtcDay(day))
    .where('called_at', '<', endOfUtcDay(day))
    .where('lane', 'is not', null)
    .groupBy(['lane', 'pool', 'model', 'stage'])
    .orderBy('lane')
    .orderBy('pool')
    .orderBy('model')
    .orderBy('stage')
    .$narrowType<{ lane: NotNull }>()
    .execute();
  // PostgreSQL sums int8 as numeric, which the driver returns as text.
  return rows.map(row => ({
    ...row,
    costUsdMicros: Number(row.costUsdMicros),
    estimatedUsdMicros: Number(row.estimatedUsdMicros),
    unusedUsdMicros: Number(row.unusedUsdMicros ?? 0),
  }));
}
