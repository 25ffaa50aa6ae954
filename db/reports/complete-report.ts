import { sql } from 'kysely';
import type { Dropout } from '../../council/deliberation/members.js';
import type { OtherVenuePrice } from '../../council/market/other-venue.js';
import type { Conclusion } from '../../council/report.js';
import type { FrozenForecast } from '../../record/recorded-forecast.js';
import { recordUsage } from '../billing/usage.js';
import type { Db, Tx } from '../database.js';
import { newestWindowedQuote, quoteAfter } from '../pricing/quotes.js';
import { answersDigest, forecastText, marketDigest } from '../track-record/record.js';
import { announcing, reportData } from '../webhooks/outbox.js';
import { appendToStream } from './report-stream.js';

/**
 * Completes a report. Invariants:
 * - the completed report, its forecast for the record, the next quote and its usage are written in one transaction,
 *   once;
 * - completions run one at a time, because each quote starts from the previous quote. None waits for the end of the
 *   chain: `sealRecord` appends the forecast soon after.
 */

export interface Completion {
  readonly conclusion: Conclusion;
  readonly dropouts: readonly Dropout[];
  /** Null if no pair is known, or the other venue did not answer. */
  readonly otherVenue: readonly OtherVenuePrice[] | null;
  readonly forecast: FrozenForecast;
  readonly now: Date;
}

/**
 * Stores the conclusion and the forecast for the record, moves the price by the cost of the run, and records usage if a
 * subscription pays. The stream gets the losses that only the run has seen, such as that of a worker. False if the report
 * was already completed.
 */
export async function completeReport(db: Db, reportId: number, completion: Completion): Promise<boolean> {
  return db.transaction().execute(async tx => {
    for (const { stage, model, kind } of completion.dropouts)
      await appendToStream(tx, reportId, { event: 'member.lost', stage, model, kind });
    const completed = await closeReport(tx, reportId, completion);
    if (completed === undefined) return false;
    await storeForecastAndQuote(tx, { ...completed, reportId }, completion);
    if (completed.lane === 'subscription') await recordDelivery(tx, reportId);
    return true;
  });
}

/**
 * Closes the report, tells the endpoints of its owner, and takes the locks, in one statement. The previous quote must be
 * read by a later statement, which sees what the earlier completions committed. The deliveries are inserted before the
 * locks are taken, because the row that takes the locks is joined to them.
 */
async function closeReport(tx: Tx, reportId: number, { conclusion, dropouts, otherVenue, now }: Completion) {
  return tx
    .with('completed', qb =>
      qb
        .updateTable('reports')
        .set({
          status: 'completed',
          conclusion: JSON.stringify(conclusion),
          dropouts: JSON.stringify(dropouts),
          ...(otherVenue === null ? {} : { other_venue: JSON.stringify(otherVenue) }),
          ended_at: now,
        })
        .where('id', '=', reportId)
        .where('status', '=', 'processing')
        .returning(['id as report_id', 'account_id', 'event_id', 'simulated', 'lane']),
    )
    .with('announced', () =>
      announcing({
        type: 'report.completed',
        to: sql`select account_id, ${reportData('completed', 'completed')} as data from completed`,
        now,
      }),
    )
    .selectFrom(['completed', sql<object>`(select count(*) from announced)`.as('told')])
    .select(['simulated', 'lane'])
    .select(sql`pg_advisory_xact_lock_shared(${completionLock})`.as('completions'))
    .select(sql`pg_advisory_xact_lock(${quoteLock})`.as('quotes'))
    .executeTakeFirst();
}

/**
 * The key of the advisory lock under which release 1.0.0 completes reports, moves the price and appends to the chain,
 * one at a time. What does one of these today shares it, so that both releases can run at once.
 */
export const completionLock = 7_107_002;
/** The key of this service's advisory lock for the newest quote. */
const quoteLock = 7_107_006;

type Completed = NonNullable<Awaited<ReturnType<typeof closeReport>>> & { readonly reportId: number };

async function storeForecastAndQuote(
  tx: Tx,
  completed: Completed,
  { forecast, now }: Completion,
): Promise<void> {
  const { quote, costUsdMicros, ...digests } = await readPrevious(tx, completed);
  const row = {
    report_id: completed.reportId,
    kind: 'completed' as const,
    payload: forecastText(forecast, digests),
  };
  // The caller's own provider keys paid for the run, so its cost does not move the price.
  if (completed.lane === 'byok') {
    await tx.insertInto('unsealed_entries').values(row).execute();
    return;
  }
  const next = quoteAfter(quote, { ...completed, costUsdMicros: Number(costUsdMicros ?? 0), now });
  await tx
    .with('requoted', qb => qb.insertInto('quotes').values(next))
    .insertInto('unsealed_entries')
    .values(row)
    .execute();
}

/**
 * The previous quote (null for the first), the cost of the run, and digests of the stored answers and market. The
 * database computes the digests, so `verifyRecord` can compute them again from the stored rows.
 */
async function readPrevious(tx: Tx, { reportId, simulated }: Completed) {
  return tx
    .selectFrom('reports')
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
