import { type ExpressionBuilder, type NotNull, sql } from 'kysely';
import { endOfUtcDay, startOfUtcDay, utcDay } from '../../council/calendar.js';
import { subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../purchase/limits.js';
import type { PurchaseRequest } from '../../purchase/purchase.js';
import type { Db, Tx } from '../database.js';
import type { Database } from '../schema/schema.js';

/**
 * What an API key with a limit has spent in the UTC day around `now`; no row for a session or a key without one.
 * Invariants:
 * - a charge reads it under the lock of its account, so that no two see the same rest of the day;
 * - a purchase counts in the day of its charge (`created_at`), by the clock that stamps it, and no longer once it is
 *   refunded;
 * - it is read through the account's purchases of the day (`report_purchases_account`), of which there are few.
 */
export function keyDayQuery(
  db: Db | Tx,
  { accountId, apiKeyId }: Pick<PurchaseRequest, 'accountId' | 'apiKeyId'>,
  now: Date,
) {
  return db
    .selectFrom('api_keys as key')
    .select(eb => [
      'key.max_credits_per_day as maxCreditsPerDay',
      spentQuery(eb, accountId, now).$asScalar().$notNull().as('spentCredits'),
    ])
    .where('key.id', '=', sql<string>`${apiKeyId}::uuid`)
    .where('key.max_credits_per_day', 'is not', null)
    .$narrowType<{ maxCreditsPerDay: NotNull }>();
}

function spentQuery(
  eb: ExpressionBuilder<Database & { key: Database['api_keys'] }, 'key'>,
  accountId: string,
  now: Date,
) {
  const day = utcDay(now);
  return eb
    .selectFrom('report_purchases as purchase')
    .select(sql<number>`coalesce(sum(${countedCredits}), 0)::int`.as('spent'))
    .where('purchase.account_id', '=', accountId)
    .whereRef('purchase.api_key_id', '=', 'key.id')
    .where('purchase.report_id', 'is not', null)
    .where('purchase.state', '=', sql.lit('charged'))
    .where('purchase.created_at', '>=', startOfUtcDay(day))
    .where('purchase.created_at', '<', endOfUtcDay(day));
}

/** The subscription takes no credits: what it is billed counts, a credit a cent (`refusalOfKey`). */
const countedCredits = sql<number>`purchase.credits + case
  when purchase.lane <> 'subscription' then 0
  when purchase.kind = 'fresh' then ${sql.lit(subscriptionFreshUsdCents)}
  else ${sql.lit(subscriptionCachedUsdCents)} end`;
