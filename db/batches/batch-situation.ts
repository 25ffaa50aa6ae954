import { type RawBuilder, sql } from 'kysely';
import { startOfUtcDay, utcDay } from '../../council/calendar.js';
import { type BatchRow, batchRowInFlightMaxMinutes } from '../../purchase/batches.js';
import type { Db, Tx } from '../database.js';

/**
 * What the purchase of a row is decided on besides. Invariants:
 * - a charge reads it under the lock of its account, under which batches and their rows are changed, too: so what is spent
 *   never exceeds the budget, at no moment;
 * - what is spent is what the purchases of the batch were charged and not given back, as the ledger has it.
 */
export function batchSituationQuery(
  db: Db | Tx,
  { accountId, row, now }: { readonly accountId: string; readonly row: BatchRow; readonly now: Date },
) {
  return db
    .selectFrom('batches as batch')
    .select([
      'batch.status',
      'batch.budget_credits as budgetCredits',
      'batch.max_credits_each as maxCreditsEach',
      spentQuery(db, sql.ref<string>('batch.id')).as('spentCredits'),
      isWaiting(row).as('isRowWaiting'),
      inFlightQuery(accountId, now).as('rowsInFlight'),
      freshTodayQuery(accountId, now).as('freshRowsToday'),
    ])
    .where('batch.id', '=', row.batchId)
    .where('batch.account_id', '=', accountId);
}

/** Credits that the rows of a batch were charged and not given back. */
export function spentQuery(db: Db | Tx, batchId: RawBuilder<string>) {
  return db
    .selectFrom('report_purchases as paid')
    .select(sql<number>`coalesce(sum(paid.credits), 0)::int`.as('credits'))
    .where('paid.batch_id', '=', batchId)
    .where('paid.state', '=', sql.lit('charged'))
    .$asScalar()
    .$notNull();
}

function isWaiting({ batchId, position }: BatchRow) {
  return sql<boolean>`exists (
    select from batch_rows as wanted
    where wanted.batch_id = ${batchId} and wanted.position = ${position} and wanted.state = 'waiting')`;
}

function inFlightQuery(accountId: string, now: Date) {
  const since = new Date(now.getTime() - batchRowInFlightMaxMinutes * 60_000);
  return sql<number>`(
    select count(*)::int from report_purchases as running
    join reports as report on report.id = running.report_id
    where running.account_id = ${accountId} and running.report_id is not null and running.created_at > ${since}
      and running.batch_id is not null and running.kind = 'fresh' and running.state = 'charged'
      and report.status in ('pending', 'processing'))`;
}

function freshTodayQuery(accountId: string, now: Date) {
  return sql<number>`(
    select count(*)::int from report_purchases as today
    where today.account_id = ${accountId} and today.report_id is not null
      and today.created_at >= ${startOfUtcDay(utcDay(now))}
      and today.batch_id is not null and today.kind = 'fresh')`;
}
