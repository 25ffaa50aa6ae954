import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { nextQuote, openingQuote, type Quote } from '../council/quote.js';
import type { Db, Tx } from './database.js';

/**
 * Quotes. Invariants:
 * - the price in force is the newest row, or the opening quote; rows are only added;
 * - a completed run moves the price once (unique on the report), a failed one never;
 * - runs that complete at once move it one after the other, each from where the one before left off;
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

/** Lets the recorded cost of a completed run move the price. */
export async function requote(
  tx: Tx,
  run: { reportId: number; simulated: boolean; now: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${requoteLock})`.execute(tx);
  const { cost, current } = await tx
    .selectFrom('provider_calls')
    .select(eb => eb.fn.sum<string | null>('cost_usd_micros').as('cost'))
    .select(jsonObjectFrom(newestQuote(tx, run.simulated)).as('current'))
    .where('report_id', '=', run.reportId)
    .executeTakeFirstOrThrow();
  const quote = nextQuote(current ?? openingQuote, Number(cost ?? 0));
  await tx
    .insertInto('quotes')
    .values({
      report_id: run.reportId,
      fresh_credits: quote.freshCredits,
      estimate_usd_micros: quote.estimateUsdMicros,
      simulated: run.simulated,
      created_at: run.now,
    })
    .execute();
}

/** A number of our own among the advisory locks of the database. */
const requoteLock = 7_107_001;
