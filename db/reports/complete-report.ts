import { sql } from 'kysely';
import type { Dropout } from '../../council/deliberation/members.js';
import type { Conclusion } from '../../council/report.js';
import type { FrozenForecast } from '../../record/recorded-forecast.js';
import { recordUsage } from '../billing/usage.js';
import type { Db, Tx } from '../database.js';
import { newestWindowedQuote, quoteAfter } from '../pricing/quotes.js';
import { answersDigest, marketDigest, newestEntry, recordEntry } from '../track-record/record.js';

/**
 * Completes a report. Invariants:
 * - the completed report, its record entry, the next quote and its usage are written in one transaction,
 *   once;
 * - completions run one at a time: each entry is chained to the previous entry, and each quote starts from
 *   the previous quote.
 */

export interface Completion {
  readonly conclusion: Conclusion;
  readonly dropouts: readonly Dropout[];
  readonly forecast: FrozenForecast;
  /** 32 random bytes, which keep the forecast from being guessed from its public hash. */
  readonly salt: Buffer;
  readonly now: Date;
}

/**
 * Stores the conclusion, appends the forecast to the record, moves the price by the cost of the run, and
 * records usage if a subscription pays. False if the report was already completed.
 */
export async function completeReport(db: Db, reportId: number, completion: Completion): Promise<boolean> {
  return db.transaction().execute(async tx => {
    const completed = await closeReport(tx, reportId, completion);
    if (completed === undefined) return false;
    await appendEntryAndQuote(tx, { ...completed, reportId }, completion);
    if (completed.lane === 'subscription') await recordDelivery(tx, reportId);
    return true;
  });
}

/**
 * Closes the report and takes the completion lock, in one statement. The previous entry and quote must be
 * read by a later statement, which sees what the earlier completions committed.
 */
async function closeReport(tx: Tx, reportId: number, { conclusion, dropouts, now }: Completion) {
  return tx
    .with('completed', qb =>
      qb
        .updateTable('reports')
        .set({
          status: 'completed',
          conclusion: JSON.stringify(conclusion),
          dropouts: JSON.stringify(dropouts),
          ended_at: now,
        })
        .where('id', '=', reportId)
        .where('status', '=', 'processing')
        .returning(['simulated', 'lane']),
    )
    .selectFrom('completed')
    .select(['simulated', 'lane'])
    .select(sql`pg_advisory_xact_lock(${completionLock})`.as('lock'))
    .executeTakeFirst();
}

/** The key of this service's advisory lock for completions. */
const completionLock = 7_107_002;

/** Takes the completion lock alone, for entries of the record that complete no run. */
export async function lockCompletions(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${completionLock})`.execute(tx);
}

type Completed = NonNullable<Awaited<ReturnType<typeof closeReport>>> & { readonly reportId: number };

async function appendEntryAndQuote(
  tx: Tx,
  completed: Completed,
  { forecast, salt, now }: Completion,
): Promise<void> {
  const { quote, costUsdMicros, ...link } = await readPrevious(tx, completed);
  const entry = recordEntry(forecast, link, { simulated: completed.simulated, salt, now });
  // The caller's own provider keys paid for the run, so its cost does not move the price.
  if (completed.lane === 'byok') {
    await tx.insertInto('record_entries').values(entry).execute();
    return;
  }
  const next = quoteAfter(quote, { ...completed, costUsdMicros: Number(costUsdMicros ?? 0), now });
  await tx
    .with('requoted', qb => qb.insertInto('quotes').values(next))
    .insertInto('record_entries')
    .values(entry)
    .execute();
}

/**
 * The previous entry and quote (null for the first), the cost of the run, and digests of the stored answers
 * and market. The database computes the digests, so `verifyRecord` can compute them again from the stored
 * rows.
 */
async function readPrevious(tx: Tx, { reportId, simulated }: Completed) {
  return tx
    .selectFrom('reports')
    .leftJoin(newestEntry(tx).as('last'), join => join.onTrue())
    .select(['last.seq', 'last.hash'])
    .select([answersDigest.as('answers_sha256'), marketDigest.as('market_sha256')])
    .select(costOf(tx, reportId).as('costUsdMicros'))
    .select(newestWindowedQuote(tx, simulated).as('quote'))
    .where('reports.id', '=', reportId)
    .executeTakeFirstOrThrow();
}

function costOf(tx: Tx, reportId: number) {
  return tx
    .selectFrom('provider_calls')
    .select(eb => eb.fn.sum<string | null>('cost_usd_micros').as('cost'))
    .where('report_id', '=', reportId);
}

/** Records the usage of the subscription that bought the report. A failed report never gets here. */
async function recordDelivery(tx: Tx, reportId: number): Promise<void> {
  const purchase = await tx
    .selectFrom('report_purchases')
    .select(['id as purchaseId', 'account_id as accountId', 'created_at as boughtAt'])
    .where('report_id', '=', reportId)
    .where('kind', '=', 'fresh')
    .where('state', '=', 'charged')
    .executeTakeFirstOrThrow();
  await recordUsage(tx, { ...purchase, reportId, kind: 'fresh' });
}
