import { Semaphore } from 'async-mutex';
import type { BatchPlanView } from '../../contract/batches/batch-shapes.js';
import { utcDay } from '../../council/calendar.js';
import { readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import { listClosed } from '../../db/reports/events.js';
import { afterRefusal } from '../../purchase/batches.js';
import { refusalOfSale } from '../../purchase/decide-purchase.js';
import { type PlannedBatch, plannedCredits, planRow } from '../../purchase/plan-row.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

export interface BatchToPlan extends PlannedBatch {
  readonly accountId: string;
  readonly apiKeyId: string | null;
  readonly minMembers: number;
  readonly eventIds: readonly string[];
}

/** What a batch would cost its account now. Reads the database only, and locks nothing. */
export type PlanBatch = (batch: BatchToPlan) => Promise<BatchPlanView>;

/** The dry runs of this process together. They must not take all connections of the pool from other requests. */
const readsAtOnceMax = 4;

export function createBatchPlans(context: ApiContext): PlanBatch {
  const reads = new Semaphore(readsAtOnceMax);
  return async batch => {
    const closed = await listClosed(context.db, batch.eventIds);
    const rows = await Promise.all(
      batch.eventIds.map(async eventId => {
        const situation = await reads.runExclusive(() => situationOf(context, batch, eventId));
        return { event_id: eventId, ...planRow(batch, situation, closed.has(eventId)) };
      }),
    );
    const { expected, atMost } = plannedCredits(batch, rows);
    return { rows, credits: { expected, at_most: atMost } };
  };
}

/**
 * Refuses a batch of which every row would be refused for good.
 * @throws Problem `account_suspended`, `lane_unavailable`
 */
export async function assertCanBuy(context: ApiContext, batch: BatchToPlan): Promise<void> {
  const [eventId = ''] = batch.eventIds;
  const refused = refusalOfSale(
    { kind: 'fresh', lane: batch.lane },
    await situationOf(context, batch, eventId),
  );
  if (refused !== null && afterRefusal(refused).kind === 'refuse') throw Problem.of(refused);
}

function situationOf(
  { db, simulated, policy, now }: ApiContext,
  { accountId, apiKeyId, lane, minMembers }: BatchToPlan,
  eventId: string,
) {
  const at = now();
  const request = { accountId, apiKeyId, lane, minMembers, eventId, utcDay: utcDay(at) };
  return readPurchaseSituation(db, request, { simulated, policy, now: at });
}
