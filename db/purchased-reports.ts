import type { PurchaseRequest, Receipt } from '../council/purchase.js';
import type { Db, Tx } from './database.js';
import type { PurchaseSetting } from './purchase-setting.js';

type Wish = Pick<PurchaseRequest, 'accountId' | 'eventId' | 'utcDay'>;

export type OwnedReport = Pick<Receipt, 'reportId' | 'status' | 'lane' | 'pool'>;

/** The day's report on the event that the account has paid for: finished, or still in flight. */
export async function findOwnedReport(
  db: Db | Tx,
  wish: Wish,
  simulated: boolean,
): Promise<OwnedReport | null> {
  const row = await db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .select(['report.id as reportId', 'report.status', 'purchase.lane', 'purchase.pool'])
    .where('purchase.account_id', '=', wish.accountId)
    .where('purchase.state', '=', 'charged')
    .where('report.event_id', '=', wish.eventId)
    .where('report.utc_day', '=', wish.utcDay)
    .where('report.simulated', '=', simulated)
    .where('report.status', '<>', 'failed')
    .orderBy('report.id')
    .executeTakeFirst();
  if (row === undefined || row.lane === null) return null;
  return { reportId: row.reportId, status: row.status, lane: row.lane, pool: row.pool };
}

/** Anybody's finished report of the day on the event: the one that is sold again at half price. */
export async function findSharedReport(
  db: Db | Tx,
  wish: Pick<Wish, 'eventId' | 'utcDay'>,
  simulated: boolean,
): Promise<number | null> {
  const row = await db
    .selectFrom('reports')
    .select('id')
    .where('event_id', '=', wish.eventId)
    .where('utc_day', '=', wish.utcDay)
    .where('simulated', '=', simulated)
    .where('status', '=', 'completed')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The row of a new run, pending. @returns its id. */
export async function openReport(
  tx: Tx,
  request: PurchaseRequest,
  setting: PurchaseSetting,
): Promise<number> {
  const { id } = await tx
    .insertInto('reports')
    .values({
      account_id: request.accountId,
      event_id: request.eventId,
      event_title: setting.eventTitle,
      utc_day: request.utcDay,
      workflow_id: setting.workflowId,
      lane: request.lane,
      simulated: setting.simulated,
      status: 'pending',
      seed: setting.seed,
      created_at: setting.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
