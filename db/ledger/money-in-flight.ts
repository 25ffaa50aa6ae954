import type { Db } from '../database.js';

/** What the books hold at this moment that is on its way to somewhere else. */
export interface MoneyInFlight {
  /** Runs that were charged and have come to no end yet. */
  readonly runs: number;
  /** Credits that those runs hold. */
  readonly credits: number;
  /** Age of the oldest of them; 0 where there is none. */
  readonly oldestSeconds: number;
  /** Reports on subscriptions that the payment provider has not been told of yet. */
  readonly usageWaiting: number;
  /** How long the oldest of those has waited; 0 where there is none. */
  readonly usageOldestSeconds: number;
}

/** Two indexed counts; cheap enough to be asked at every scrape. */
export async function readMoneyInFlight(db: Db, now: Date): Promise<MoneyInFlight> {
  const runs = await db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .where('purchase.state', '=', 'charged')
    .where('purchase.kind', '=', 'fresh')
    // Either way; the index that finds the few among all that have ended begins with it.
    .where('report.simulated', 'in', [true, false])
    .where('report.status', 'in', ['pending', 'processing'])
    .select(eb => [
      eb.fn.countAll<number>().as('runs'),
      eb.fn.coalesce(eb.fn.sum<number>('purchase.credits'), eb.lit(0)).as('credits'),
      eb.fn.min('report.created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow();
  const usage = await db
    .selectFrom('usage_outbox')
    .where('state', '=', 'pending')
    .select(eb => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('occurred_at').as('oldest')])
    .executeTakeFirstOrThrow();
  const ageSeconds = (since: Date | null) =>
    since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
  return {
    runs: runs.runs,
    credits: runs.credits,
    oldestSeconds: ageSeconds(runs.oldest),
    usageWaiting: usage.waiting,
    usageOldestSeconds: ageSeconds(usage.oldest),
  };
}
