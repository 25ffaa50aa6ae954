import { type RawBuilder, sql } from 'kysely';
import { houseSpendKeptSince } from '../../purchase/house-ceilings.js';
import {
  grantClaimsKeptDays,
  idempotencyKeptHours,
  modelCallsKeptDays,
  quotesKeptDays,
  sessionsKeptDays,
  webhookDeliveriesKeptDays,
} from '../../purchase/limits.js';
import type { Db } from '../database.js';
import { outdatedBefore } from '../market/market-answers.js';

/**
 * Deletes rows that nothing reads any more. Invariants:
 * - no report, receipt, balance, grade or record entry is computed from a row that is deleted: what a report says of
 *   its calls is stored with its answers, and a quote stores the cost that moved it;
 * - the calls of a report that has not ended, and the price in force, are kept at any age;
 * - a statement deletes few rows and commits, so no request waits for it.
 */
export interface Pruned {
  readonly idempotency_keys: number;
  readonly model_calls: number;
  readonly quotes: number;
  readonly sessions: number;
  readonly verifications: number;
  readonly throttle_counts: number;
  readonly market_answers: number;
  readonly held_answers: number;
  readonly grant_claims: number;
  readonly house_spend: number;
  readonly webhook_deliveries: number;
}

/** Rows of a statement: some ten milliseconds. */
const batchRows = 1_000;
/** Three times what is written in an hour at five reports a second. The rest is left to the next round. */
const batchesPerRoundMax = 500;

export async function prune(db: Db, now: Date): Promise<Pruned> {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const daysAgo = (days: number) => hoursAgo(days * 24);
  const sessionsBefore = daysAgo(sessionsKeptDays);
  return {
    idempotency_keys: await deleteOldest(
      db,
      sql`idempotency_keys`,
      sql`from idempotency_keys where created_at <= ${hoursAgo(idempotencyKeptHours)} order by created_at`,
    ),
    model_calls: await deleteOldest(
      db,
      sql`provider_calls`,
      sql`from provider_calls where called_at < ${daysAgo(modelCallsKeptDays)}
        and not exists (select from reports where reports.id = report_id and status in ('pending', 'processing'))
        order by called_at`,
    ),
    quotes: await deleteOldest(
      db,
      sql`quotes`,
      sql`from quotes as old where created_at < ${daysAgo(quotesKeptDays)}
        and id < (select max(id) from quotes where simulated = old.simulated) order by created_at`,
    ),
    sessions: await deleteOldest(
      db,
      sql`auth."session"`,
      sql`from auth."session" where "expiresAt" < ${sessionsBefore} order by "expiresAt"`,
    ),
    verifications: await deleteOldest(
      db,
      sql`auth."verification"`,
      sql`from auth."verification" where "expiresAt" < ${sessionsBefore} order by "expiresAt"`,
    ),
    webhook_deliveries: await deleteOldest(
      db,
      sql`webhook_deliveries`,
      sql`from webhook_deliveries where created_at < ${daysAgo(webhookDeliveriesKeptDays)} and status <> 'pending'
        order by created_at`,
    ),
    ...(await pruneLimits(db, now)),
  };
}

/** What limits are decided by, and what the market answered: nothing refers to these rows. */
async function pruneLimits(
  db: Db,
  now: Date,
): Promise<
  Pick<Pruned, 'throttle_counts' | 'market_answers' | 'held_answers' | 'grant_claims' | 'house_spend'>
> {
  const claimsBefore = new Date(now.getTime() - grantClaimsKeptDays * 86_400_000);
  return {
    throttle_counts: await deleteOldest(
      db,
      sql`throttle_counts`,
      sql`from throttle_counts where expire <= ${now.getTime()} order by expire`,
    ),
    market_answers: await deleteOldest(
      db,
      sql`market_answers`,
      sql`from market_answers where asked_at < ${outdatedBefore(now)} order by asked_at`,
    ),
    held_answers: await deleteOldest(
      db,
      sql`held_answers`,
      sql`from held_answers where not exists (select from unnest(ends) as place where place > ${now})`,
    ),
    grant_claims: await deleteOldest(
      db,
      sql`grant_claims`,
      sql`from grant_claims where claimed_at < ${claimsBefore} order by claimed_at`,
    ),
    house_spend: await deleteOldest(
      db,
      sql`house_spend`,
      sql`from house_spend where hour < ${houseSpendKeptSince(now)} order by hour`,
    ),
  };
}

/**
 * Deletes the rows of a selection, in batches. By their place in the table, which the planner cannot turn into a scan;
 * a row that changes in the meantime has another place and is kept.
 * @returns how many rows were deleted
 */
async function deleteOldest(
  db: Db,
  table: RawBuilder<unknown>,
  selection: RawBuilder<unknown>,
): Promise<number> {
  const statement = sql`
    delete from ${table} where ctid = any (array(select ctid ${selection} limit ${batchRows}))`;
  let deleted = 0;
  for (let batch = 0; batch < batchesPerRoundMax; batch++) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < BigInt(batchRows)) break;
  }
  return deleted;
}
