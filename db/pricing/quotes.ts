import type { Insertable } from 'kysely';
import type { CouncilModel } from '../../council/models.js';
import { nextQuote, openingQuote, type Quote } from '../../council/purchase/quote.js';
import type { Db, Tx } from '../database.js';
import type { Database } from '../schema/schema.js';

/**
 * Quotes. Invariants:
 * - the price in force is the newest row, or the opening quote; rows are only added;
 * - a completed run moves the price once (unique on the report), a failed one never;
 * - runs that complete at once move it one after the other, each from where the one before left off (`complete-report.ts`);
 * - simulated runs and live ones have prices of their own: a demo never moves what people pay.
 */
export async function currentQuote(db: Db | Tx, simulated: boolean): Promise<Quote> {
  return (await newestQuoteQuery(db, simulated).executeTakeFirst()) ?? openingQuote;
}

/** No row before the first completed run. */
export function newestQuoteQuery(db: Db | Tx, simulated: boolean) {
  return db
    .selectFrom('quotes')
    .select(['fresh_credits as freshCredits', 'estimate_usd_micros as estimateUsdMicros'])
    .where('simulated', '=', simulated)
    .orderBy('id', 'desc')
    .limit(1);
}

/** The row of the price that a completed run leaves behind: what it cost moves the price that was in force, or the opening one. */
export function quoteAfter(
  before: Quote | null,
  run: {
    readonly reportId: number;
    readonly simulated: boolean;
    readonly costUsdMicros: number;
    readonly now: Date;
  },
): Insertable<Database['quotes']> {
  const quote = nextQuote(before ?? openingQuote, run.costUsdMicros);
  return {
    report_id: run.reportId,
    fresh_credits: quote.freshCredits,
    estimate_usd_micros: quote.estimateUsdMicros,
    simulated: run.simulated,
    created_at: run.now,
  };
}

/**
 * How the price came about: the runs that moved it, newest first. Invariants: every run here moved the price exactly
 * once; a failed one is never here, nor one on a caller's own keys. Provider dollars are for operators only.
 */
export interface QuotedRun {
  readonly reportId: number;
  readonly completedAt: Date;
  readonly costUsdMicros: number;
  readonly tokens: readonly ModelTokens[];
  /** The price after it. */
  readonly freshCredits: number;
  readonly estimateUsdMicros: number;
}

export interface ModelTokens {
  readonly model: CouncilModel;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export async function readQuoteHistory(
  db: Db,
  { simulated, limit }: { simulated: boolean; limit: number },
): Promise<readonly QuotedRun[]> {
  const moves = await db
    .selectFrom('quotes')
    .select([
      'report_id as reportId',
      'created_at as completedAt',
      'fresh_credits as freshCredits',
      'estimate_usd_micros as estimateUsdMicros',
    ])
    .where('simulated', '=', simulated)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const calls = await callsOf(
    db,
    moves.map(move => move.reportId),
  );
  return moves.map(move => {
    const own = calls.filter(call => call.reportId === move.reportId);
    return {
      ...move,
      costUsdMicros: own.reduce((sum, call) => sum + call.costUsdMicros, 0),
      tokens: own.map(({ model, inputTokens, outputTokens }) => ({ model, inputTokens, outputTokens })),
    };
  });
}

async function callsOf(db: Db, reportIds: readonly number[]) {
  if (reportIds.length === 0) return [];
  const rows = await db
    .selectFrom('provider_calls')
    .select(({ fn }) => [
      'report_id as reportId',
      'model',
      fn.sum<number>('input_tokens').as('inputTokens'),
      fn.sum<number>('output_tokens').as('outputTokens'),
      fn.sum<string>('cost_usd_micros').as('costUsdMicros'),
    ])
    .where('report_id', 'in', [...reportIds])
    .groupBy(['report_id', 'model'])
    .orderBy('model')
    .execute();
  // A sum of int8 is numeric, which comes as text.
  return rows.map(row => ({ ...row, costUsdMicros: Number(row.costUsdMicros) }));
}
