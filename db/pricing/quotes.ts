import type { Insertable } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { CouncilModel } from '../../council/models.js';
import { nextQuote, openingQuote, type Quote, type WindowedQuote } from '../../purchase/quote.js';
import type { Db, Tx } from '../database.js';
import type { Database } from '../schema/schema.js';

/**
 * Quotes. Invariants:
 * - the current price is the newest row, or the opening quote; rows are only added;
 * - a completed run moves the price once (unique per report); a failed run, or one on the caller's own keys,
 *   never does;
 * - concurrent completions move the price one after the other (see `complete-report.ts`);
 * - simulated and live runs have separate prices, so a demo never changes what customers pay.
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

/** A quote that later ones start from, as a JSON object: see `windowedQuoteOf`. */
export function newestWindowedQuote(tx: Tx, simulated: boolean) {
  const query = newestQuoteQuery(tx, simulated).select(windowColumns);
  return jsonObjectFrom(query);
}

const windowColumns = ['window_began_at as windowBeganAt', 'window_credits as windowCredits'] as const;

type WindowedQuoteJson = Omit<WindowedQuote, 'windowBeganAt'> & { readonly windowBeganAt: string };

/** The row for the price after a completed run: its cost moves the price before it, or the opening quote. */
export function quoteAfter(
  before: WindowedQuoteJson | null,
  run: {
    readonly reportId: number;
    readonly simulated: boolean;
    readonly costUsdMicros: number;
    readonly now: Date;
  },
): Insertable<Database['quotes']> {
  const quote = nextQuote(before === null ? null : windowedQuoteOf(before), {
    costUsdMicros: run.costUsdMicros,
    completedAt: run.now,
  });
  return {
    report_id: run.reportId,
    fresh_credits: quote.freshCredits,
    estimate_usd_micros: quote.estimateUsdMicros,
    window_began_at: quote.windowBeganAt,
    window_credits: quote.windowCredits,
    cost_usd_micros: run.costUsdMicros,
    simulated: run.simulated,
    created_at: run.now,
  };
}

function windowedQuoteOf({ windowBeganAt, ...quote }: WindowedQuoteJson): WindowedQuote {
  return { ...quote, windowBeganAt: new Date(windowBeganAt) };
}

/** A run that moved the price. Provider cost is for operators only. */
export interface QuotedRun {
  readonly reportId: number;
  readonly completedAt: Date;
  readonly costUsdMicros: number;
  readonly tokens: readonly ModelTokens[];
  /** The price after this run, and the window that it is in. */
  readonly quote: WindowedQuote;
}

export interface ModelTokens {
  readonly model: CouncilModel;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Web searches. */
  readonly searches: number;
}

/** The runs that moved the price, newest first. */
export async function readQuoteHistory(
  db: Db,
  { simulated, limit }: { simulated: boolean; limit: number },
): Promise<readonly QuotedRun[]> {
  const moves = await db
    .selectFrom('quotes')
    .select([
      'report_id as reportId',
      'created_at as completedAt',
      'cost_usd_micros as costUsdMicros',
      'fresh_credits as freshCredits',
      'estimate_usd_micros as estimateUsdMicros',
      ...windowColumns,
    ])
    .where('simulated', '=', simulated)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const calls = await tokensByRun(
    db,
    moves.map(move => move.reportId),
  );
  return moves.map(({ reportId, completedAt, costUsdMicros, ...quote }) => {
    const runCalls = calls.filter(call => call.reportId === reportId);
    return {
      reportId,
      completedAt,
      costUsdMicros,
      quote,
      tokens: runCalls.map(({ model, inputTokens, outputTokens, searches }) => ({
        model,
        inputTokens,
        outputTokens,
        searches,
      })),
    };
  });
}

async function tokensByRun(db: Db, reportIds: readonly number[]) {
  if (reportIds.length === 0) return [];
  return db
    .selectFrom('provider_calls')
    .select(({ fn }) => [
      'report_id as reportId',
      'model',
      fn.sum<number>('input_tokens').as('inputTokens'),
      fn.sum<number>('output_tokens').as('outputTokens'),
      fn.sum<number>('searches').as('searches'),
    ])
    .where('report_id', 'in', [...reportIds])
    .groupBy(['report_id', 'model'])
    .orderBy('model')
    .execute();
}
