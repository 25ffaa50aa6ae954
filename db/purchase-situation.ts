import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { PurchaseSituation } from '../council/decide-purchase.js';
import type { PurchaseRequest } from '../council/purchase.js';
import { openingQuote } from '../council/quote.js';
import { runsLeft } from '../council/runs-left.js';
import { usableGrant } from '../council/weekly-grant.js';
import type { Db, Tx } from './database.js';
import { laneGaps } from './lane-gaps.js';
import { balanceOf } from './ledger.js';
import { ownedReports, sharedReports } from './purchased-reports.js';
import { newestQuote } from './quotes.js';
import { countedRuns } from './run-limit.js';
import { grantLots } from './weekly-grants.js';

/**
 * Reads what a purchase is decided on. In one statement, so that all of it is of one moment; but a lane that has to be set up is
 * asked about by itself. Whoever charges holds the account's lock before; whoever only asks does without.
 */
export async function readPurchaseSituation(
  db: Db | Tx,
  wish: Pick<PurchaseRequest, 'accountId' | 'eventId' | 'utcDay' | 'lane'>,
  { simulated, now }: { readonly simulated: boolean; readonly now: Date },
): Promise<PurchaseSituation> {
  const { accountId, lane } = wish;
  const found = await db
    .selectNoFrom([
      jsonObjectFrom(ownedReports(db, wish, simulated)).as('owned'),
      sharedReports(db, wish, simulated).as('sharedReportId'),
      jsonArrayFrom(countedRuns(db, accountId, now)).as('runs'),
      jsonObjectFrom(newestQuote(db, simulated)).as('quote'),
      jsonArrayFrom(grantLots(db, accountId, now)).as('lots'),
      balanceOf(db, accountId, 'purchased').as('balanceCredits'),
    ])
    .executeTakeFirstOrThrow();
  const begunAt = found.runs.map(run => new Date(run.begunAt));
  return {
    owned: found.owned,
    sharedReportId: found.sharedReportId,
    laneGaps: await laneGaps(db, { accountId, lane, now }),
    runs: runsLeft(begunAt, now),
    quote: found.quote ?? openingQuote,
    grant: usableGrant(accountId, found.lots, now),
    balanceCredits: found.balanceCredits ?? 0,
  };
}
