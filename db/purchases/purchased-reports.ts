import { type NotNull, sql } from 'kysely';
import type { OwnedReport } from '../../council/purchase/decide-purchase.js';
import type { PurchaseRequest } from '../../council/purchase/purchase.js';
import type { Db, Tx } from '../database.js';

type Wish = Pick<PurchaseRequest, 'accountId' | 'eventId' | 'utcDay'>;

/** The day's report on the event that the account has paid for: finished, or still in flight. */
export async function findOwnedReport(db: Db, wish: Wish, simulated: boolean): Promise<OwnedReport | null> {
  return (await ownedReports(db, wish, simulated).executeTakeFirst()) ?? null;
}

/** The same as a question, at most one row. */
export function ownedReports(db: Db | Tx, wish: Wish, simulated: boolean) {
  return db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .select(['report.id as reportId', 'report.status', 'purchase.lane', 'purchase.pool'])
    .where('purchase.account_id', '=', wish.accountId)
    .where('purchase.state', '=', sql.lit('charged'))
    .where('purchase.lane', 'is not', null)
    .where('report.event_id', '=', wish.eventId)
    .where('report.utc_day', '=', wish.utcDay)
    .where('report.simulated', '=', simulated)
    .where('report.status', '<>', sql.lit('failed'))
    .orderBy('report.id')
    .limit(1)
    .$narrowType<{ lane: NotNull }>();
}

/** Anybody's finished report of the day on the event, at most one row: the one that is sold again at half price. */
export function sharedReports(db: Db | Tx, wish: Pick<Wish, 'eventId' | 'utcDay'>, simulated: boolean) {
  return db
    .selectFrom('reports')
    .select('id')
    .where('event_id', '=', wish.eventId)
    .where('utc_day', '=', wish.utcDay)
    .where('simulated', '=', simulated)
    .where('status', '=', sql.lit('completed'))
    .orderBy('id')
    .limit(1);
}

/** A number that no other report will have. One that is not used is left out for ever. */
export async function reserveReportId(db: Db): Promise<number> {
  const { id } = await db
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('reports', 'id'))`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
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
      ...(setting.reportId === undefined ? {} : { id: setting.reportId }),
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

/** What a purchase needs to know beside the wish itself. */
export interface PurchaseSetting {
  readonly now: Date;
  readonly simulated: boolean;
  readonly eventTitle: string;
  readonly workflowId: string;
  /** Random, stored with the report: whatever is shuffled in the run is shuffled by it. */
  readonly seed: string;
  /** The number reserved for the report (`reserveReportId`). Absent: the next one. */
  readonly reportId?: number;
}
