import { sql } from 'kysely';
import { utcDay } from '../../council/calendar.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { MarketEvent } from '../../council/event.js';
import type { CouncilModel } from '../../council/models.js';
import type { Conclusion } from '../../council/report.js';
import type { FrozenForecast } from '../../record/recorded-forecast.js';
import type { Db, Tx } from '../database.js';
import { answersDigest, forecastText, marketDigest } from './record.js';
import { sealRecord } from './seal-record.js';

/**
 * The sample record: simulated reports with an invented past. Invariants:
 * - they are written once per database, all or none, and are always `simulated`;
 * - they are sold, completed and chained into the record like any report, at the time at which they are written;
 * - they are no runs: they move no price, cost nothing and are charged to nobody. The account that receives them owns
 *   them for 0 credits.
 */
export interface PastReport {
  /** As it traded at that time. */
  readonly event: MarketEvent;
  /** As it ended. */
  readonly ended: MarketEvent;
  /** When the report says that it was made. */
  readonly at: Date;
  readonly seed: string;
  readonly queriedMarket: string;
  readonly answers: readonly {
    readonly stage: CallStage;
    readonly model: CouncilModel;
    readonly modelId: string;
    readonly answer: object;
  }[];
  readonly conclusion: Conclusion;
  readonly freeze: (reportId: number) => FrozenForecast;
}

export interface PastReportsReceiver {
  readonly accountId: string;
  readonly now: Date;
  readonly newId: () => string;
}

/** Takes the place of the workflow's id: no run made these reports. */
const noWorkflow = 'sample-record';

/** Whether the database has the sample record. */
export async function hasPastReports(db: Db): Promise<boolean> {
  return (await pastReports(db)).length > 0;
}

/**
 * Writes the reports unless the database has them, and gives all of them to the account.
 * @returns how many the account has received
 */
export async function givePastReports(
  db: Db,
  { accountId, newId, now }: PastReportsReceiver,
  reports: readonly PastReport[],
): Promise<number> {
  const given = await db.transaction().execute(async tx => {
    await sql`select pg_advisory_xact_lock(${writingLock})`.execute(tx);
    if ((await pastReports(tx)).length === 0 && reports.length > 0) await write(tx, accountId, reports, now);
    const purchases = (await pastReports(tx)).map(({ id, at }) => ({
      id: newId(),
      account_id: accountId,
      state: 'charged' as const,
      kind: 'cached' as const,
      report_id: id,
      lane: 'credits' as const,
      credits: 0,
      created_at: at,
    }));
    if (purchases.length > 0) await tx.insertInto('report_purchases').values(purchases).execute();
    return purchases.length;
  });
  await sealRecord(db);
  return given;
}

/** The key of this service's advisory lock for the sample record: two processes would both write it. */
const writingLock = 7_107_007;

function pastReports(db: Db | Tx) {
  return db
    .selectFrom('reports')
    .select(['id', 'created_at as at'])
    .where('workflow_id', '=', noWorkflow)
    .orderBy('id')
    .execute();
}

async function write(tx: Tx, accountId: string, reports: readonly PastReport[], now: Date): Promise<void> {
  await saveEvents(tx, reports, now);
  const ids = await insertReports(tx, accountId, reports);
  await freezeEvents(tx, ids, reports);
  await tx
    .insertInto('stage_results')
    .values(reports.flatMap((report, index) => answersOf(report, ids[index] ?? 0)))
    .execute();
  await complete(tx, ids, reports);
  await record(tx, ids, reports);
}

async function saveEvents(tx: Tx, reports: readonly PastReport[], now: Date): Promise<void> {
  const events = new Map(reports.map(({ ended }) => [ended.eventId, ended]));
  const rows = [...events.values()].map(event => ({
    event_id: event.eventId,
    source: event.source,
    title: event.title,
    event: JSON.stringify(event),
    read_at: now,
  }));
  await tx
    .insertInto('events')
    .values(rows)
    .onConflict(conflict => conflict.column('event_id').doNothing())
    .execute();
}

/** @returns the ids of the new reports, in their order */
async function insertReports(
  tx: Tx,
  accountId: string,
  reports: readonly PastReport[],
): Promise<readonly number[]> {
  const rows = await tx
    .insertInto('reports')
    .values(
      reports.map(({ event, at, seed }) => ({
        account_id: accountId,
        event_id: event.eventId,
        event_title: event.title,
        utc_day: utcDay(at),
        workflow_id: noWorkflow,
        lane: 'credits' as const,
        simulated: true,
        status: 'pending' as const,
        seed,
        created_at: at,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

async function freezeEvents(tx: Tx, ids: readonly number[], reports: readonly PastReport[]): Promise<void> {
  await sql`
    update reports set status = 'processing', stage = 'opinions', event = frozen.event::json,
      queried_market = frozen.market, prices_at = reports.created_at
    from unnest(${ids}::bigint[], ${reports.map(({ event }) => JSON.stringify(event))}::text[],
      ${reports.map(({ queriedMarket }) => queriedMarket)}::text[]) as frozen (id, event, market)
    where reports.id = frozen.id`.execute(tx);
}

function answersOf({ answers, at }: PastReport, reportId: number) {
  return answers.map(({ stage, model, modelId, answer }) => ({
    report_id: reportId,
    stage,
    model,
    model_id: modelId,
    answer: JSON.stringify(answer),
    attempts: 1,
    latency_ms: 0,
    created_at: at,
  }));
}

async function complete(tx: Tx, ids: readonly number[], reports: readonly PastReport[]): Promise<void> {
  await sql`
    update reports set status = 'completed', conclusion = concluded.conclusion::json, dropouts = '[]',
      ended_at = reports.created_at
    from unnest(${ids}::bigint[], ${reports.map(({ conclusion }) => JSON.stringify(conclusion))}::text[])
      as concluded (id, conclusion)
    where reports.id = concluded.id`.execute(tx);
}

/** Stores the forecasts for the record. */
async function record(tx: Tx, ids: readonly number[], reports: readonly PastReport[]): Promise<void> {
  const digests = await tx
    .selectFrom('reports')
    .select(['id', answersDigest.as('answers_sha256'), marketDigest.as('market_sha256')])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(digests.map(({ id, ...of }) => [id, of]));
  const rows = reports.map(({ freeze }, index) => {
    const id = ids[index] ?? 0;
    const payload = forecastText(freeze(id), byId.get(id) ?? { answers_sha256: '', market_sha256: '' });
    return { report_id: id, kind: 'completed' as const, payload };
  });
  await tx.insertInto('unsealed_entries').values(rows).execute();
}
