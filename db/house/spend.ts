import type { NotNull } from 'kysely';
import { endOfUtcDay, startOfUtcDay } from '../../council/calendar.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Lane, Pool } from '../../council/purchase/purchase.js';
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
  /** On `byok` the cost to the caller; the house pays nothing. */
  readonly costUsdMicros: number;
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
      fn.sum<string>('cost_usd_micros').as('costUsdMicros'),
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
  return rows.map(row => ({ ...row, costUsdMicros: Number(row.costUsdMicros) }));
}
