import type { Insertable } from 'kysely';
import { nextQuote, openingQuote, type Quote } from '../council/quote.js';
import type { Db, Tx } from './database.js';
import type { QuotesTable } from './schema.js';

/**
 * Quotes. Invariants:
 * - the price in force is the newest row, or the opening quote; rows are only added;
 * - a completed run moves the price once (unique on the report), a failed one never;
 * - runs that complete at once move it one after the other, each from where the one before left off (`complete-report.ts`);
 * - simulated runs and live ones have prices of their own: a demo never moves what people pay.
 */
export async function currentQuote(db: Db | Tx, simulated: boolean): Promise<Quote> {
  return (await newestQuote(db, simulated).executeTakeFirst()) ?? openingQuote;
}

/** The same as a question: no row before the first run. */
export function newestQuote(db: Db | Tx, simulated: boolean) {
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
): Insertable<QuotesTable> {
  const quote = nextQuote(before ?? openingQuote, run.costUsdMicros);
  return {
    report_id: run.reportId,
    fresh_credits: quote.freshCredits,
    estimate_usd_micros: quote.estimateUsdMicros,
    simulated: run.simulated,
    created_at: run.now,
  };
}
