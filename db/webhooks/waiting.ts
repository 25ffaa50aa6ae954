import { sql } from 'kysely';
import type { Db } from '../database.js';

/** What waits to be sent, for operators. */
export interface WebhookFigures {
  /** Deliveries that have not ended. Most wait for their next try. */
  readonly pending: number;
  /** Age of the oldest of them; 0 without one. A receiver that fails makes it three days. */
  readonly oldestSeconds: number;
  /** How long the oldest has waited to be handed to Temporal; 0 without one. */
  readonly unhandedSeconds: number;
  /** Deliveries whose try has been due for a minute. */
  readonly due: number;
  /** Active endpoints that have not accepted a delivery and will be tried again. */
  readonly failingEndpoints: number;
}

/** One read of the deliveries that have not ended, by a partial index. */
export async function readWebhookFigures(db: Db, now: Date): Promise<WebhookFigures> {
  const dueSince = new Date(now.getTime() - dueAfterMs);
  const row = await db
    .selectFrom('webhook_deliveries as delivery')
    .where('delivery.status', '=', sql.lit('pending'))
    .select(eb => [
      eb.fn.countAll<number>().as('pending'),
      eb.fn.min('delivery.created_at').as('oldest'),
      sql<Date | null>`min(greatest(delivery.created_at, delivery.next_attempt_at))
        filter (where delivery.handed_over_at is null)`.as('unhanded'),
      sql<number>`count(*) filter (where delivery.next_attempt_at < ${dueSince})`.as('due'),
      sql<number>`count(distinct delivery.endpoint_id) filter (where exists (
        select from webhook_attempts as attempt where attempt.delivery_id = delivery.id))`.as('failing'),
    ])
    .executeTakeFirstOrThrow();
  const ageSeconds = (since: Date | null) =>
    since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
  return {
    pending: row.pending,
    oldestSeconds: ageSeconds(row.oldest),
    unhandedSeconds: ageSeconds(row.unhanded),
    due: row.due,
    failingEndpoints: row.failing,
  };
}

const dueAfterMs = 60_000;
