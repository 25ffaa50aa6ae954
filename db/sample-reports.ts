import type { Db } from './database.js';

/**
 * Reports that everybody may read. Invariant: only simulated ones, shown by whoever runs the service; what a customer has
 * bought is nobody else's to see.
 */

/** Shows a report of an account to everybody. @throws when the account has no such simulated report */
export async function showAsSample(
  db: Db,
  { accountId, reportId, now }: { accountId: string; reportId: number; now: Date },
): Promise<void> {
  await db
    .insertInto('sample_reports')
    .columns(['report_id', 'account_id', 'shown_at'])
    .expression(eb =>
      eb
        .selectFrom('report_purchases as purchase')
        .innerJoin('reports as report', 'report.id', 'purchase.report_id')
        .where('report.id', '=', reportId)
        .where('report.simulated', '=', true)
        .where('purchase.account_id', '=', accountId)
        .select(['report.id', 'purchase.account_id', eb.val(now).as('shown_at')]),
    )
    .onConflict(conflict => conflict.column('report_id').doNothing())
    .execute();
}

/** The newest one; null where none is shown. */
export async function findSampleReport(
  db: Db,
): Promise<{ readonly id: number; readonly accountId: string } | null> {
  const row = await db
    .selectFrom('sample_reports')
    .select(['report_id as id', 'account_id as accountId'])
    .orderBy('shown_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
