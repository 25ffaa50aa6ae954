import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { PurchaseSituation } from '../council/decide-purchase.js';
import type { PurchaseAnswer, PurchaseRequest } from '../council/purchase.js';
import { openingQuote } from '../council/quote.js';
import { runsLeft } from '../council/runs-left.js';
import { usableGrant } from '../council/weekly-grant.js';
import type { Db, Tx } from './database.js';
import { laneGaps } from './lane-gaps.js';
import { balanceOf } from './ledger.js';
import type { PurchaseSetting } from './purchase-setting.js';
import { ownedReports, sharedReports } from './purchased-reports.js';
import { newestQuote } from './quotes.js';
import { receiptOf, receiptRow } from './receipts.js';
import { countedRuns } from './run-limit.js';
import { grantLots } from './weekly-grants.js';

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
    laneGaps: await laneGaps(db, { accountId, lane, now }),
    runs: runsLeft(begunAt, now),
    quote: quote ?? openingQuote,
    grant: usableGrant(accountId, lots, now),
    balanceCredits: balanceCredits ?? 0,
  };
}
