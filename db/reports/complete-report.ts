import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Dropout } from '../../council/deliberation/members.js';
import type { Conclusion } from '../../council/report.js';
import type { FrozenForecast } from '../../council/track-record/recorded-forecast.js';
import { recordUsage } from '../billing/usage.js';
import type { Db, Tx } from '../database.js';
import { newestQuoteQuery, quoteAfter } from '../pricing/quotes.js';
import { answersDigest, marketDigest, newestEntry, recordEntry } from '../track-record/record.js';

/**
 * The end of a run that succeeded. Invariants:
 * - the finished report, its entry in the record, the price it leaves behind and its usage are one transaction, done once;
 * - completions take turns: each is chained to the entry before it, and moves the price from where the one before left it.
 */

export interface Completion {
  readonly conclusion: Conclusion;
  readonly dropouts: readonly Dropout[];
  readonly forecast: FrozenForecast;
  readonly now: Date;
}

/**
 * Stores the report, freezes its forecast into the record, lets what it cost move the price, and meters it where it is on a
 * subscription. False when that had been done before.
 */
export async function completeReport(db: Db, reportId: number, completion: Completion): Promise<boolean> {
  return db.transaction().execute(async tx => {
    const completed = await closeInTurn(tx, reportId, completion);
    if (completed === undefined) return false;
    await leaveBehind(tx, { ...completed, reportId }, completion);
    if (completed.lane === 'subscription') await recordDelivery(tx, reportId, completion.now);
    return true;
  });
}

/**
 * Closes the report, and waits until every other completion has ended. In one statement; what was there before has to be read in
 * the next, which sees what the others wrote.
 */
async function closeInTurn(tx: Tx, reportId: number, { conclusion, dropouts, now }: Completion) {
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
    .select(sql`pg_advisory_xact_lock(${completionLock})`.as('turn'))
    .executeTakeFirst();
}

/** A number of our own among the advisory locks of the database. */
const completionLock = 7_107_002;

type Completed = NonNullable<Awaited<ReturnType<typeof closeInTurn>>> & { readonly reportId: number };

async function leaveBehind(tx: Tx, completed: Completed, { forecast, now }: Completion): Promise<void> {
  const { quote, costUsdMicros, ...link } = await readBefore(tx, completed);
  const entry = recordEntry(forecast, link, now);
  // What a caller's own keys were billed is no cost of the house's.
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
 * The entry and the price that were there before, null each for the first; what the run cost; and the digests of what is stored, as
 * it is stored, so that the database itself can be asked later whether it still is.
 */
async function readBefore(tx: Tx, { reportId, simulated }: Completed) {
  return tx
    .selectFrom('reports')
    .leftJoin(newestEntry(tx).as('last'), join => join.onTrue())
    .select(['last.seq', 'last.hash'])
    .select([answersDigest.as('answers_sha256'), marketDigest.as('market_sha256')])
    .select(costOf(tx, reportId).as('costUsdMicros'))
    .select(jsonObjectFrom(newestQuoteQuery(tx, simulated)).as('quote'))
    .where('reports.id', '=', reportId)
    .executeTakeFirstOrThrow();
}

function costOf(tx: Tx, reportId: number) {
  return tx
    .selectFrom('provider_calls')
    .select(eb => eb.fn.sum<string | null>('cost_usd_micros').as('cost'))
    .where('report_id', '=', reportId);
}

/** Usage of the subscription that bought the report: recorded with its completion, so that failures never are. */
async function recordDelivery(tx: Tx, reportId: number, now: Date): Promise<void> {
  const { id, account_id: accountId } = await tx
    .selectFrom('report_purchases')
    .select(['id', 'account_id'])
    .where('report_id', '=', reportId)
    .where('kind', '=', 'fresh')
    .where('state', '=', 'charged')
    .executeTakeFirstOrThrow();
  await recordUsage(tx, { purchaseId: id, accountId, reportId, kind: 'fresh', now });
}
