import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { runsPerHour, runWindowSeconds } from '../../council/limits.js';
import { missingKeys } from '../../council/models.js';
import { type PurchaseSituation, type RunsLeft, runsLeft } from '../../council/purchase/decide-purchase.js';
import type { Lane, PurchaseAnswer, PurchaseRequest } from '../../council/purchase/purchase.js';
import { openingQuote } from '../../council/purchase/quote.js';
import { usableGrant } from '../../council/purchase/weekly-grant.js';
import { heldProviders } from '../accounts/provider-keys.js';
import { findActiveSubscription } from '../billing/subscriptions.js';
import type { Db, Tx } from '../database.js';
import { balanceOf } from '../ledger/ledger.js';
import { grantLots } from '../ledger/weekly-grants.js';
import { newestQuote } from '../pricing/quotes.js';
import { ownedReports, type PurchaseSetting, sharedReports } from './purchased-reports.js';
import { receiptOf, receiptRow } from './receipts.js';

type Wish = Pick<PurchaseRequest, 'accountId' | 'eventId' | 'utcDay' | 'lane'>;
type Setting = Pick<PurchaseSetting, 'simulated' | 'now'>;

/**
 * Reads what a purchase is decided on. In one statement, so that all of it is of one moment; but a lane that has to be set up is
 * asked about by itself. Whoever charges holds the account's lock before (`readPurchase`); whoever only asks does without.
 */
export async function readPurchaseSituation(
  db: Db,
  wish: Wish,
  setting: Setting,
): Promise<PurchaseSituation> {
  const found = await askSituation(db, wish, setting).executeTakeFirstOrThrow();
  return situationOf(db, wish, setting, found);
}

/** The same, and in the same statement what came of the purchase before, if it was made before. */
export async function readPurchase(
  tx: Tx,
  request: PurchaseRequest,
  setting: Setting,
): Promise<{ readonly receipt: PurchaseAnswer | null; readonly situation: PurchaseSituation }> {
  const { receipt, ...found } = await askSituation(tx, request, setting)
    .select(jsonObjectFrom(receiptRow(tx, request.purchaseId)).as('receipt'))
    .executeTakeFirstOrThrow();
  return {
    receipt: receipt === null ? null : receiptOf(receipt),
    situation: await situationOf(tx, request, setting, found),
  };
}

function askSituation(db: Db | Tx, wish: Wish, { simulated, now }: Setting) {
  const { accountId } = wish;
  return db.selectNoFrom([
    jsonObjectFrom(ownedReports(db, wish, simulated)).as('owned'),
    sharedReports(db, wish, simulated).as('sharedReportId'),
    jsonArrayFrom(countedRuns(db, accountId, now)).as('runs'),
    jsonObjectFrom(newestQuote(db, simulated)).as('quote'),
    jsonArrayFrom(grantLots(db, accountId, now)).as('lots'),
    balanceOf(db, accountId, 'purchased').as('balanceCredits'),
  ]);
}

type Found = Awaited<ReturnType<ReturnType<typeof askSituation>['executeTakeFirstOrThrow']>>;

async function situationOf(
  db: Db | Tx,
  { accountId, lane }: Wish,
  { now }: Setting,
  { owned, sharedReportId, runs, quote, lots, balanceCredits }: Found,
): Promise<PurchaseSituation> {
  const begunAt = runs.map(run => new Date(run.begunAt));
  return {
    owned,
    sharedReportId,
    laneGaps: await missingLaneSetup(db, { accountId, lane, now }),
    runs: runsLeft(begunAt, now),
    quote: quote ?? openingQuote,
    grant: usableGrant(accountId, lots, now),
    balanceCredits: balanceCredits ?? 0,
  };
}

/** What the account would have to set up before it could pay on a lane; empty when it can. */
async function missingLaneSetup(
  db: Db | Tx,
  { accountId, lane, now }: { accountId: string; lane: Lane; now: Date },
): Promise<readonly string[]> {
  switch (lane) {
    case 'credits':
      return [];
    case 'subscription':
      return (await findActiveSubscription(db, accountId, now)) === null ? ['subscription'] : [];
    case 'byok':
      return missingKeys(await heldProviders(db, accountId));
  }
}

/** What is left of the account's fresh runs in the sliding hour. */
export async function countRunsLeft(db: Db, accountId: string, now: Date): Promise<RunsLeft> {
  const runs = await countedRuns(db, accountId, now).execute();
  return runsLeft(
    runs.map(run => run.begunAt),
    now,
  );
}

/** Fresh runs of an account in the sliding hour, newest first; refunded ones have given their place back. */
export function countedRuns(db: Db | Tx, accountId: string, now: Date) {
  return db
    .selectFrom('report_purchases')
    .select('created_at as begunAt')
    .where('account_id', '=', accountId)
    .where('kind', '=', sql.lit('fresh'))
    .where('state', '=', sql.lit('charged'))
    .where('created_at', '>', new Date(now.getTime() - runWindowSeconds * 1_000))
    .orderBy('created_at', 'desc')
    .limit(runsPerHour);
}
