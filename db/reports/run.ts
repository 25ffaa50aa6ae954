import { DatabaseError } from 'pg';
import type { MarketEvent } from '../../council/event.js';
import type { RunFailureCode } from '../../council/report.js';
import type { Db, Tx } from '../database.js';
import { type ProviderCall, providerCallRow, recordProviderCall } from '../pricing/provider-calls.js';
import { deliberationOf, type StoredDeliberation, storedAnswers } from './deliberation.js';

/**
 * A run, as its activities write it. Invariants:
 * - a report moves forward only (pending → processing → completed | failed) and a terminal one is frozen;
 * - the market snapshot is frozen by the first attempt that writes it;
 * - a member's answer at a stage is written once: a finished paid call is never repeated or replaced;
 * - a completed report has a conclusion, a failed one has a failure code, nothing else has either.
 */
export interface RunRow {
  readonly eventId: string;
  readonly seed: string;
  readonly simulated: boolean;
  readonly event: MarketEvent | null;
  readonly queriedMarket: string | null;
  readonly pricesAt: Date | null;
}

export const runColumns = [
  'event_id as eventId',
  'seed',
  'simulated',
  'event',
  'queried_market as queriedMarket',
  'prices_at as pricesAt',
] as const;

export async function readRun(db: Db, reportId: number): Promise<RunRow> {
  return db.selectFrom('reports').select(runColumns).where('id', '=', reportId).executeTakeFirstOrThrow();
}

/** The run with all that was said in it, in one question. */
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

/** Freezes the market as it stands and opens the first stage; a second attempt changes nothing. */
export async function freezeMarket(
  db: Db,
  reportId: number,
  snapshot: { event: MarketEvent; queriedMarket: string; pricesAt: Date },
): Promise<void> {
  await db
    .updateTable('reports')
    .set({
      status: 'processing',
      stage: 'opinions',
      event: JSON.stringify(snapshot.event),
      queried_market: snapshot.queriedMarket,
      prices_at: snapshot.pricesAt,
    })
    .where('id', '=', reportId)
    .where('status', '=', 'pending')
    .execute();
}

export interface StageResult {
  readonly answer: object;
  readonly attempts: number;
  readonly latencyMs: number;
  /** The call that brought the answer. */
  readonly call: ProviderCall;
  readonly now: Date;
}

/**
 * Keeps an answer and records its call, in one statement. The first answer stays; every call is recorded, also one whose
 * answer came when the run was over.
 */
export async function keepStageResult(db: Db, result: StageResult): Promise<void> {
  const { call } = result;
  try {
    await db
      .with('recorded', qb => qb.insertInto('provider_calls').values(providerCallRow(call)))
      .insertInto('stage_results')
      .values({
        report_id: call.reportId,
        stage: call.stage,
        model: call.model,
        model_id: call.modelId,
        answer: JSON.stringify(result.answer),
        attempts: result.attempts,
        latency_ms: result.latencyMs,
        created_at: result.now,
      })
      .onConflict(conflict => conflict.columns(['report_id', 'stage', 'model']).doNothing())
      .execute();
  } catch (error) {
    if (isRunOver(error)) await recordProviderCall(db, call);
    throw error;
  }
}

/** The guard of the table lets no answer into a report that is not being processed; see migration 0003. */
function isRunOver(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23001';
}

/** False when the report had already been completed: then there is nothing to give back. */
export async function failReport(
  tx: Tx,
  reportId: number,
  failure: { failure: RunFailureCode; now: Date },
): Promise<boolean> {
  const failed = await tx
    .updateTable('reports')
    .set({ status: 'failed', failure_code: failure.failure, ended_at: failure.now })
    .where('id', '=', reportId)
    .where('status', 'in', ['pending', 'processing'])
    .returning('id')
    .executeTakeFirst();
  return failed !== undefined;
}

/** A fresh report that was charged and has come to no end yet. */
export interface UnfinishedRun {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly workflowId: string;
  readonly createdAt: Date;
}

/**
 * Every run that holds somebody's money, oldest first; most of them are simply at work. Invariants: a terminal report
 * is never among them, nor a purchase that was refunded.
 */
export async function listUnfinishedRuns(db: Db): Promise<readonly UnfinishedRun[]> {
  return db
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
    .where('report.status', 'in', ['pending', 'processing'])
    .orderBy('report.created_at')
    .orderBy('report.id')
    .execute();
}
