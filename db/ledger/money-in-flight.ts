import type { Db } from '../database.js';

/** What is not final yet: charged runs that have not ended, usage not sent to Stripe, payments to review, unsealed entries. */
export interface MoneyInFlight {
  /** Charged runs that have not ended. */
  readonly runs: number;
  /** Credits charged for those runs. */
  readonly credits: number;
  /** Age of the oldest run; 0 if there is none. */
  readonly oldestSeconds: number;
  /** Subscription reports whose usage has not been sent to Stripe. */
  readonly usageWaiting: number;
  /** How long the oldest usage has waited; 0 if there is none. */
  readonly usageOldestSeconds: number;
  /** Payments that were not credited and that no operator has settled. */
  readonly paymentFindings: number;
  /** Disputes of invoices and warnings of fraud that are not settled. */
  readonly paymentAlerts: number;
  /** How long the oldest entry of the record has waited to be sealed; 0 if there is none. */
  readonly unsealedOldestSeconds: number;
}

/** Four indexed reads, cheap enough for every metrics scrape. */
export async function readMoneyInFlight(db: Db, now: Date): Promise<MoneyInFlight> {
  const runs = await db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .where('purchase.state', '=', 'charged')
    .where('purchase.kind', '=', 'fresh')
    // Both values: the index that finds the few unfinished reports starts with this column.
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
  const findings = await db
    .selectFrom('payment_findings')
    .where('settled_at', 'is', null)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('account_id', 'is', null).as('open'),
      fn.count<number>('account_id').as('alerts'),
    ])
    .executeTakeFirstOrThrow();
  const unsealed = await db
    .selectFrom('unsealed_entries')
    .select('occurred_at as oldest')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const ageSeconds = (since: Date | null) =>
    since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
  return {
    runs: runs.runs,
    credits: runs.credits,
    oldestSeconds: ageSeconds(runs.oldest),
    usageWaiting: usage.waiting,
    usageOldestSeconds: ageSeconds(usage.oldest),
    paymentFindings: findings.open,
    paymentAlerts: findings.alerts,
    unsealedOldestSeconds: ageSeconds(unsealed?.oldest ?? null),
  };
}
