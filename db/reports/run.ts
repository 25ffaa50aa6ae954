import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { MarketEvent } from '../../council/event.js';
import type { AssembledEvidence } from '../../council/evidence/assemble-evidence.js';
import type { RunFailureCode } from '../../council/report.js';
import type { Db, Tx } from '../database.js';
import { insertProviderCall, type ProviderCall, recordProviderCall } from '../pricing/provider-calls.js';
import { announcing, reportData } from '../webhooks/outbox.js';
import { deliberationOf, type StoredDeliberation, storedAnswers } from './deliberation.js';
import { notifyOfProgress } from './report-changes.js';
import { appendingNothing, appendingWith } from './report-stream.js';

/**
 * A run, as its activities read and write it. Invariants:
 * - a report only moves forward (pending → processing → completed | failed), and a terminal report never
 *   changes;
 * - the market snapshot is written with the report, and frozen;
 * - the evidence is stored once, after the searches;
 * - a member's answer at a stage is written once: a finished paid call is never repeated or replaced;
 * - only a completed report has a conclusion, and only a failed one has a failure code.
 */
export interface RunRow {
  readonly eventId: string;
  readonly seed: string;
  readonly simulated: boolean;
  readonly event: MarketEvent | null;
  readonly queriedMarket: string | null;
  readonly pricesAt: Date | null;
  /** Null if nobody searched. */
  readonly evidence: AssembledEvidence | null;
}

export const runColumns = [
  'event_id as eventId',
  'seed',
  'simulated',
  'event',
  'queried_market as queriedMarket',
  'prices_at as pricesAt',
  'evidence',
] as const;

export async function readRun(db: Db, reportId: number): Promise<RunRow> {
  const run = await db
    .selectFrom('reports')
    .select(runColumns)
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  return run;
}

/** The run and its stored answers, in one query. */
export async function readRunAndDeliberation(
  db: Db,
  reportId: number,
): Promise<RunRow & { readonly deliberation: StoredDeliberation }> {
  const { answers, ...run } = await db
    .selectFrom('reports')
    .select(runColumns)
    .select(eb => storedAnswers(eb).as('answers'))
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  return { ...run, deliberation: deliberationOf(answers) };
}

/** Stores what the council may read of the searches. What was stored first stays. */
export async function storeEvidence(db: Db, reportId: number, evidence: AssembledEvidence): Promise<void> {
  await db
    .updateTable('reports')
    .set({ evidence: JSON.stringify(evidence) })
    .where('id', '=', reportId)
    .where('status', '=', 'processing')
    .where('evidence', 'is', null)
    .execute();
}

export interface StageResult {
  readonly answer: object;
  readonly latencyMs: number;
  /** The call that returned the answer. */
  readonly call: ProviderCall;
  readonly now: Date;
}

/**
 * Stores an answer, its call and the number of calls made for it in one statement. The first answer stays. Every call
 * is recorded, with whether its answer was used, even if it arrived after the run ended or after another one. Repeating
 * it changes nothing.
 */
export async function saveStageResult(db: Db, result: StageResult): Promise<'stored' | 'run_ended'> {
  const { call } = result;
  try {
    const kept = db.with('kept', qb =>
      qb
        .insertInto('stage_results')
        .values({
          report_id: call.reportId,
          stage: call.stage,
          model: call.model,
          model_id: call.modelId,
          answer: JSON.stringify(result.answer),
          attempts: callsMade(db, call),
          latency_ms: result.latencyMs,
          created_at: result.now,
        })
        .onConflict(conflict => conflict.columns(['report_id', 'stage', 'model']).doNothing())
        .returning('stage_results.report_id'),
    );
    const noted = kept.with('noted', () => notingAnswer(call));
    // A flawed answer, whose call is recorded before the repair, is used if the repair is no better.
    const marked = noted.with('marked', qb =>
      qb.updateTable('provider_calls').set({ used: true }).where('call_id', '=', call.callId).where(isKept),
    );
    await insertProviderCall(marked, call, isKept).execute();
    notifyOfProgress(db, call.reportId);
    return 'stored';
  } catch (error) {
    if (!hasRunEnded(error)) throw error;
    await recordProviderCall(db, call);
    return 'run_ended';
  }
}

const isKept = sql<boolean>`exists (select from kept)`;

/** What explains the gap is no stage of the stream. */
function notingAnswer({ reportId, stage, model }: ProviderCall) {
  if (stage === 'market_gap') return appendingNothing;
  const event = { event: 'member.answered', stage, model } as const;
  return appendingWith(sql`${reportId}::bigint`, event, sql`select from kept`);
}

/** The calls made for an answer, repairs and failed attempts included, whether the one that returned it is recorded. */
function callsMade(db: Db, { callId, reportId, stage, model }: ProviderCall) {
  return db
    .selectFrom('provider_calls')
    .select(({ fn }) => sql<number>`${fn.countAll()}::int + 1`.as('calls'))
    .where('report_id', '=', reportId)
    .where('stage', '=', stage)
    .where('model', '=', model)
    .where('call_id', '<>', callId);
}

/** A trigger rejects answers to a report that is not processing; see migration 0003. */
function hasRunEnded(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23001';
}

/** Tells the endpoints of its owner. False if the report had already ended; then nothing is refunded. */
export async function failReport(
  tx: Tx,
  reportId: number,
  { failure, now }: { failure: RunFailureCode; now: Date },
): Promise<boolean> {
  const failed = await tx
    .with('failed', qb =>
      qb
        .updateTable('reports')
        .set({ status: 'failed', failure_code: failure, ended_at: now })
        .where('id', '=', reportId)
        .where('status', 'in', ['pending', 'processing'])
        .returning(['id as report_id', 'account_id', 'event_id']),
    )
    .with('announced', () =>
      announcing({
        type: 'report.failed',
        to: sql`select account_id, ${reportData('failed', 'failed')} as data from failed`,
        now,
      }),
    )
    .selectFrom('failed')
    .select('report_id')
    .executeTakeFirst();
  return failed !== undefined;
}

/**
 * Reserves a report id, so the workflow can carry it from its start. An unused id stays unused.
 * @returns with it, the time by the clock of the database, for the deadline of the purchase
 */
export async function reserveReportId(db: Db): Promise<{ readonly reportId: number; readonly at: Date }> {
  return db
    .selectNoFrom([
      sql<number>`nextval(pg_get_serial_sequence('reports', 'id'))`.as('reportId'),
      sql<Date>`clock_timestamp()`.as('at'),
    ])
    .executeTakeFirstOrThrow();
}

/** A fresh report that was charged and has not ended. */
export interface UnfinishedRun {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly workflowId: string;
  readonly createdAt: Date;
}

/**
 * All charged runs that have not ended, oldest first. Most of them are in progress; a stranded one has
 * stopped.
 */
export async function listUnfinishedRuns(db: Db): Promise<readonly UnfinishedRun[]> {
  return (
    db
      .selectFrom('report_purchases as purchase')
      .innerJoin('reports as report', 'report.id', 'purchase.report_id')
      .select([
        'purchase.id as purchaseId',
        'purchase.account_id as accountId',
        'report.id as reportId',
        'report.workflow_id as workflowId',
        'report.created_at as createdAt',
      ])
      .where('purchase.state', '=', 'charged')
      .where('purchase.kind', '=', 'fresh')
      // Both values: the index that finds the few unfinished reports starts with this column.
      .where('report.simulated', 'in', [true, false])
      .where('report.status', 'in', ['pending', 'processing'])
      .orderBy('report.created_at')
      .orderBy('report.id')
      .execute()
  );
}
