import { type NotNull, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { endOfUtcDay, secondsToNextUtcDay, utcDay } from '../../council/calendar.js';
import { quorumOpinions } from '../../council/method.js';
import { missingKeys } from '../../council/models.js';
import { batchRunsLeft } from '../../purchase/batches.js';
import type { OwnedReport, PurchaseSituation } from '../../purchase/decide-purchase.js';
import {
  ceilingNames,
  costsHouse,
  type HouseDay,
  hasCeiling,
  untouchedDay,
} from '../../purchase/house-ceilings.js';
import {
  type AllowedOutcome,
  type Lane,
  type PurchaseAnswer,
  type PurchaseRequest,
  purchaseTimedOut,
} from '../../purchase/purchase.js';
import { openingQuote } from '../../purchase/quote.js';
import { restSecondsLeft, runsLeft } from '../../purchase/run-limits.js';
import { grantLeft, nobody, type UsableGrant, usableGrant } from '../../purchase/weekly-grant.js';
import { standingQuery } from '../accounts/accounts.js';
import { listProvidersWithKey } from '../accounts/provider-keys.js';
import { batchSituationQuery } from '../batches/batch-situation.js';
import { owedCreditsQuery } from '../billing/reverse-purchase.js';
import { findSubscriptionObstacle } from '../billing/subscriptions.js';
import type { Db, Tx } from '../database.js';
import {
  type HouseContext as Context,
  lockedCeilings,
  readHouseDay,
  readLockedHouseDay,
} from '../house/house-day.js';
import { lockGrantClaims, readGrantsClaimed } from '../ledger/grant-claims.js';
import { balanceQuery } from '../ledger/ledger.js';
import { grantLotsQuery } from '../ledger/weekly-grants.js';
import { newestQuoteQuery } from '../pricing/quotes.js';
import { keyDayQuery } from './key-day.js';
import { receiptOf, receiptQuery } from './receipts.js';
import { chargedRunsQuery, failedRunsQuery, refundedRunsQuery, startsOf } from './started-runs.js';

/**
 * What a purchase decision reads. Invariants:
 * - everything but the lane setup, the claims on weekly grants and the house's ceilings is read in one statement, so it
 *   describes one moment;
 * - a charge reads it under the account lock (`readPurchase`), and the claims and the ceilings under their own; a check
 *   before that reads it without the locks, and is only a preview;
 * - the claims are read only for a report that a new weekly grant would pay, and the ceilings only for one that would
 *   cost the house something.
 * The queries name status and state with `sql.lit`, because the partial indexes are declared on those literals.
 */

type PurchaseFields = Pick<
  PurchaseRequest,
  'accountId' | 'apiKeyId' | 'lane' | 'claimant' | 'minMembers' | 'row'
> &
  EventOfDay;
type EventOfDay = Pick<PurchaseRequest, 'eventId' | 'utcDay'>;
type OwnerAndEvent = Pick<PurchaseRequest, 'accountId'> & EventOfDay;

/** The situation without the lock, as a preview. */
export async function readPurchaseSituation(
  db: Db,
  request: PurchaseFields,
  context: Context,
): Promise<PurchaseSituation> {
  const found = await situationQuery(db, request, context).executeTakeFirstOrThrow();
  return situationOf(db, request, context, found);
}

/**
 * The situation, and in the same statement what is decided: by an earlier attempt or the deadline. Needs the account lock.
 * @param allowed only a purchase that may start a run waits for the locks of the claims and the ceilings
 * @throws NearCeiling when the charge needs the exclusive lock of the ceilings
 */
export async function readPurchase(
  tx: Tx,
  request: PurchaseRequest,
  context: Context,
  allowed: AllowedOutcome,
): Promise<{ readonly decided: PurchaseAnswer | null; readonly situation: PurchaseSituation }> {
  const { ceilingLock = 'exclusive', policy } = context;
  const mayCostHouse = allowed === 'fresh' && hasCeiling(policy) && request.lane !== 'byok';
  const ceilings = mayCostHouse ? lockedCeilings(ceilingLock) : sql<number | null>`null::int`;
  const { receipt, isLate, salesAtOnce, ...found } = await situationQuery(tx, request, context)
    .select(ceilings.as('salesAtOnce'))
    .select(jsonObjectFrom(receiptQuery(tx, request.purchaseId)).as('receipt'))
    .select(sql<boolean | null>`clock_timestamp() > ${request.answerBy}::timestamptz`.as('isLate'))
    .executeTakeFirstOrThrow();
  const locked = allowed === 'fresh' && receipt === null ? { tx, salesAtOnce } : null;
  return {
    decided: receipt === null ? (isLate === true ? purchaseTimedOut : null) : receiptOf(receipt),
    situation: await situationOf(tx, request, context, found, locked),
  };
}

function situationQuery(db: Db | Tx, request: PurchaseFields, { simulated, now }: Context) {
  const { accountId } = request;
  return db.selectNoFrom([
    jsonObjectFrom(standingQuery(db, accountId)).as('standing'),
    jsonObjectFrom(ownedReportQuery(db, request, simulated)).as('owned'),
    sharedReportQuery(db, request, simulated).as('sharedReportId'),
    jsonArrayFrom(chargedRunsQuery(db, accountId, now)).as('charged'),
    jsonArrayFrom(refundedRunsQuery(db, accountId, now)).as('refunded'),
    jsonArrayFrom(failedRunsQuery(db, { eventId: request.eventId, simulated, now })).as('failures'),
    jsonObjectFrom(newestQuoteQuery(db, simulated)).as('quote'),
    jsonArrayFrom(grantLotsQuery(db, accountId, now)).as('lots'),
    balanceQuery(db, accountId, 'purchased').as('balanceCredits'),
    owedCreditsQuery(db, accountId).as('owedCredits'),
    jsonObjectFrom(keyDayQuery(db, request, now)).as('keyDay'),
    batchOf(db, request, now).as('batch'),
  ]);
}

/** Most purchases are for no row of a batch, and read nothing of one. */
function batchOf(db: Db | Tx, { accountId, row }: PurchaseFields, now: Date) {
  return row === undefined
    ? sql<null>`null`
    : jsonObjectFrom(batchSituationQuery(db, { accountId, row, now }));
}

/** A charge, which decides under locks. */
interface Locked {
  readonly tx: Tx;
  /** Null without the lock of the ceilings. */
  readonly salesAtOnce: number | null;
}

type SituationRow = Awaited<ReturnType<ReturnType<typeof situationQuery>['executeTakeFirstOrThrow']>>;

async function situationOf(
  db: Db | Tx,
  request: PurchaseFields,
  context: Context,
  row: SituationRow,
  locked: Locked | null = null,
): Promise<PurchaseSituation> {
  const { accountId, lane } = request;
  const { now } = context;
  const quote = row.quote ?? openingQuote;
  const grant = await grantOf(db, request, context, row, locked);
  const batch = row.batch === null ? null : { ...row.batch, secondsToNextDay: secondsToNextUtcDay(now) };
  // Otherwise the report would be bought by itself, within no budget.
  if (batch === null && request.row !== undefined) throw new Error('the account has no such batch');
  return {
    owned: row.owned,
    isSuspended: (row.standing?.suspendedAt ?? null) !== null,
    sharedReportId: row.sharedReportId,
    ...(await laneSetup(db, { accountId, lane, now })),
    batch,
    runs:
      batch === null
        ? runsLeft({ charged: startsOf(row.charged), refunded: startsOf(row.refunded) }, now)
        : batchRunsLeft(batch),
    restSecondsLeft: restSecondsLeft(
      row.failures.map(({ failedAt }) => new Date(failedAt)),
      now,
    ),
    quote,
    grant,
    balanceCredits: row.balanceCredits ?? 0,
    owedCredits: row.owedCredits ?? 0,
    keyDay: row.keyDay === null ? null : { ...row.keyDay, resetsAt: endOfUtcDay(utcDay(now)).toISOString() },
    house: await houseOf(db, { lane, grant }, { ...context, quote }, row, locked),
  };
}

/** The weekly grant, if it may pay: a new one only if its mailbox and its network have any left. It pays for no row of a batch. */
async function grantOf(
  db: Db | Tx,
  request: PurchaseFields,
  { policy, now }: Context,
  row: SituationRow,
  locked: Locked | null,
): Promise<UsableGrant | null> {
  const { accountId, lane, claimant = nobody } = request;
  const mayUse = !policy.grantNeedsVerifiedAddress || (row.standing?.verifiedAt ?? null) !== null;
  const grant = mayUse ? usableGrant(accountId, row.lots, now) : null;
  if (request.row !== undefined) return null;
  if (grant === null || !grant.isNew || lane !== 'credits' || kindOf(row) !== 'fresh') return grant;
  if (locked !== null) await lockGrantClaims(locked.tx, claimant);
  return grantLeft(grant, await readGrantsClaimed(db, claimant, { week: grant.week, now }));
}

function kindOf({ owned, sharedReportId }: SituationRow): 'fresh' | 'cached' {
  return owned === null && sharedReportId === null ? 'fresh' : 'cached';
}

/** The ceilings, if the report would take a run that the house pays; otherwise a day on which nothing was taken. */
async function houseOf(
  db: Db | Tx,
  { lane, grant }: { readonly lane: Lane; readonly grant: UsableGrant | null },
  context: Context & Pick<PurchaseSituation, 'quote'>,
  row: SituationRow,
  locked: Locked | null,
): Promise<HouseDay> {
  const { policy, now } = context;
  if (!costsHouse({ kind: kindOf(row), lane }) || !hasCeiling(policy)) return untouchedDay(policy, now);
  if (locked === null || locked.salesAtOnce === null) return readHouseDay(db, context);
  const ceilings = grant !== null && lane === 'credits' ? ceilingNames : (['all'] as const);
  return readLockedHouseDay(locked.tx, context, { ceilings, salesAtOnce: locked.salesAtOnce });
}

/** What the account must set up before it can pay on the lane; nothing is missing if it can. */
async function laneSetup(
  db: Db | Tx,
  { accountId, lane, now }: { accountId: string; lane: Lane; now: Date },
): Promise<Pick<PurchaseSituation, 'missingLaneSetup' | 'laneNextStep'>> {
  switch (lane) {
    case 'credits':
      return { missingLaneSetup: [] };
    case 'subscription': {
      const obstacle = await findSubscriptionObstacle(db, accountId, now);
      if (obstacle === null) return { missingLaneSetup: [] };
      return { missingLaneSetup: [obstacle.missing], laneNextStep: obstacle.nextStep };
    }
    case 'byok':
      return { missingLaneSetup: missingKeys(await listProvidersWithKey(db, accountId)) };
  }
}

/** The account's report on the event and day, finished or in flight; null if it has not bought one. */
export async function findOwnedReport(
  db: Db,
  request: OwnerAndEvent,
  simulated: boolean,
): Promise<OwnedReport | null> {
  return (await ownedReportQuery(db, request, simulated).executeTakeFirst()) ?? null;
}

function ownedReportQuery(db: Db | Tx, request: OwnerAndEvent, simulated: boolean) {
  return db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .select(['report.id as reportId', 'report.status', 'purchase.lane', 'purchase.pool'])
    .where('purchase.account_id', '=', request.accountId)
    .where('purchase.state', '=', sql.lit('charged'))
    .where('purchase.lane', 'is not', null)
    .where('report.event_id', '=', request.eventId)
    .where('report.utc_day', '=', request.utcDay)
    .where('report.simulated', '=', simulated)
    .where('report.status', '<>', sql.lit('failed'))
    .orderBy('report.id')
    .limit(1)
    .$narrowType<{ lane: NotNull }>();
}

/**
 * Any account's completed report on the event and day: the one that is sold as cached, at half price. It has as many
 * opinions as the caller asks for.
 */
function sharedReportQuery(
  db: Db | Tx,
  { eventId, utcDay, minMembers = quorumOpinions }: EventOfDay & Pick<PurchaseRequest, 'minMembers'>,
  simulated: boolean,
) {
  const completed = db
    .selectFrom('reports')
    .select('id')
    .where('event_id', '=', eventId)
    .where('utc_day', '=', utcDay)
    .where('simulated', '=', simulated)
    .where('status', '=', sql.lit('completed'))
    .orderBy('id')
    .limit(1);
  // Every completed report has a quorum.
  if (minMembers <= quorumOpinions) return completed;
  return completed.where(sql<number>`json_array_length(conclusion->'runtime'->'models')`, '>=', minMembers);
}
