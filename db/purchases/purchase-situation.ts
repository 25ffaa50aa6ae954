import { type NotNull, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import {
  eventRestSeconds,
  failuresBeforeRest,
  runsPerHour,
  runWindowSeconds,
  uncountedRefundsPerHour,
} from '../../council/limits.js';
import { missingKeys } from '../../council/models.js';
import type { OwnedReport, PurchaseSituation } from '../../council/purchase/decide-purchase.js';
import {
  ceilingNames,
  costsHouse,
  type HouseDay,
  hasCeiling,
  untouchedDay,
} from '../../council/purchase/house-ceilings.js';
import {
  type AllowedOutcome,
  type Lane,
  type PurchaseAnswer,
  type PurchaseRequest,
  purchaseTimedOut,
} from '../../council/purchase/purchase.js';
import { openingQuote } from '../../council/purchase/quote.js';
import {
  failuresThatRest,
  type RunsLeft,
  restSecondsLeft,
  runsLeft,
} from '../../council/purchase/run-limits.js';
import { grantLeft, nobody, type UsableGrant, usableGrant } from '../../council/purchase/weekly-grant.js';
import { standingQuery } from '../accounts/accounts.js';
import { listProvidersWithKey } from '../accounts/provider-keys.js';
import { owedCreditsQuery } from '../billing/reverse-purchase.js';
import { findSubscriptionObstacle } from '../billing/subscriptions.js';
import type { Db, Tx } from '../database.js';
import { type HouseContext as Context, lockHouseDay, readHouseDay } from '../house/house-day.js';
import { lockGrantClaims, readGrantsClaimed } from '../ledger/grant-claims.js';
import { balanceQuery } from '../ledger/ledger.js';
import { grantLotsQuery } from '../ledger/weekly-grants.js';
import { newestQuoteQuery } from '../pricing/quotes.js';
import { receiptOf, receiptQuery } from './receipts.js';

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

type PurchaseFields = Pick<PurchaseRequest, 'accountId' | 'eventId' | 'utcDay' | 'lane' | 'claimant'>;
type EventOfDay = Pick<PurchaseFields, 'eventId' | 'utcDay'>;

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
  const { receipt, isLate, ...found } = await situationQuery(tx, request, context)
    .select(jsonObjectFrom(receiptQuery(tx, request.purchaseId)).as('receipt'))
    .select(sql<boolean | null>`clock_timestamp() > ${request.answerBy}::timestamptz`.as('isLate'))
    .executeTakeFirstOrThrow();
  const lockingTx = allowed === 'fresh' && receipt === null ? tx : null;
  return {
    decided: receipt === null ? (isLate === true ? purchaseTimedOut : null) : receiptOf(receipt),
    situation: await situationOf(tx, request, context, found, lockingTx),
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
  ]);
}

type SituationRow = Awaited<ReturnType<ReturnType<typeof situationQuery>['executeTakeFirstOrThrow']>>;

async function situationOf(
  db: Db | Tx,
  request: PurchaseFields,
  context: Context,
  row: SituationRow,
  lockingTx: Tx | null = null,
): Promise<PurchaseSituation> {
  const { accountId, lane } = request;
  const { now } = context;
  const quote = row.quote ?? openingQuote;
  const grant = await grantOf(db, request, context, row, lockingTx);
  return {
    owned: row.owned,
    isSuspended: (row.standing?.suspendedAt ?? null) !== null,
    sharedReportId: row.sharedReportId,
    ...(await laneSetup(db, { accountId, lane, now })),
    runs: runsLeft({ charged: startsOf(row.charged), refunded: startsOf(row.refunded) }, now),
    restSecondsLeft: restSecondsLeft(
      row.failures.map(({ failedAt }) => new Date(failedAt)),
      now,
    ),
    quote,
    grant,
    balanceCredits: row.balanceCredits ?? 0,
    owedCredits: row.owedCredits ?? 0,
    house: await houseOf(db, { lane, grant }, { ...context, quote }, row, lockingTx),
  };
}

/** The weekly grant, if it may pay: a new one only if its mailbox and its network have any left. */
async function grantOf(
  db: Db | Tx,
  { accountId, lane, claimant = nobody }: PurchaseFields,
  { policy, now }: Context,
  row: SituationRow,
  lockingTx: Tx | null,
): Promise<UsableGrant | null> {
  const mayUse = !policy.grantNeedsVerifiedAddress || (row.standing?.verifiedAt ?? null) !== null;
  const grant = mayUse ? usableGrant(accountId, row.lots, now) : null;
  if (grant === null || !grant.isNew || lane !== 'credits' || kindOf(row) !== 'fresh') return grant;
  if (lockingTx !== null) await lockGrantClaims(lockingTx, claimant);
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
  lockingTx: Tx | null,
): Promise<HouseDay> {
  const { policy, now } = context;
  if (!costsHouse({ kind: kindOf(row), lane }) || !hasCeiling(policy)) return untouchedDay(policy, now);
  if (lockingTx === null) return readHouseDay(db, context);
  return lockHouseDay(lockingTx, context, grant !== null && lane === 'credits' ? ceilingNames : ['all']);
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
  request: Omit<PurchaseFields, 'lane'>,
  simulated: boolean,
): Promise<OwnedReport | null> {
  return (await ownedReportQuery(db, request, simulated).executeTakeFirst()) ?? null;
}

function ownedReportQuery(db: Db | Tx, request: Omit<PurchaseFields, 'lane'>, simulated: boolean) {
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

/** The id of the completed report on the event and day that is sold as cached; null without one. */
export async function findSharedReport(
  db: Db,
  event: EventOfDay,
  simulated: boolean,
): Promise<number | null> {
  return (await sharedReportQuery(db, event, simulated).executeTakeFirst())?.id ?? null;
}

/** Any account's completed report on the event and day: the one that is sold as cached, at half price. */
function sharedReportQuery(db: Db | Tx, { eventId, utcDay }: EventOfDay, simulated: boolean) {
  return db
    .selectFrom('reports')
    .select('id')
    .where('event_id', '=', eventId)
    .where('utc_day', '=', utcDay)
    .where('simulated', '=', simulated)
    .where('status', '=', sql.lit('completed'))
    .orderBy('id')
    .limit(1);
}

/** How many fresh runs the account may still start in the sliding hour. */
export async function countRunsLeft(db: Db, accountId: string, now: Date): Promise<RunsLeft> {
  const { charged, refunded } = await db
    .selectNoFrom([
      jsonArrayFrom(chargedRunsQuery(db, accountId, now)).as('charged'),
      jsonArrayFrom(refundedRunsQuery(db, accountId, now)).as('refunded'),
    ])
    .executeTakeFirstOrThrow();
  return runsLeft({ charged: startsOf(charged), refunded: startsOf(refunded) }, now);
}

/** JSON has no dates. */
function startsOf(runs: readonly { readonly startedAt: Date | string }[]): readonly Date[] {
  return runs.map(({ startedAt }) => new Date(startedAt));
}

/** The account's fresh runs in the sliding hour that are in progress or completed: as many as can count. */
function chargedRunsQuery(db: Db | Tx, accountId: string, now: Date) {
  return freshRunsQuery(db, accountId, now).where('state', '=', sql.lit('charged')).limit(runsPerHour);
}

/** The account's refunded runs in the sliding hour: those that do not count, and as many as can count. */
function refundedRunsQuery(db: Db | Tx, accountId: string, now: Date) {
  return freshRunsQuery(db, accountId, now)
    .where('state', '=', sql.lit('refunded'))
    .limit(uncountedRefundsPerHour + runsPerHour);
}

function freshRunsQuery(db: Db | Tx, accountId: string, now: Date) {
  return db
    .selectFrom('report_purchases')
    .select('created_at as startedAt')
    .where('account_id', '=', accountId)
    .where('kind', '=', sql.lit('fresh'))
    .where('created_at', '>', secondsBefore(now, runWindowSeconds))
    .orderBy('created_at', 'desc');
}

/**
 * The event's latest failed runs, of any account, as far back as they can let it rest now. Runs with a caller's own
 * provider keys are left out: such keys can fail on purpose, and would keep everybody from the event.
 */
function failedRunsQuery(
  db: Db | Tx,
  { eventId, simulated, now }: { eventId: string; simulated: boolean; now: Date },
) {
  return db
    .selectFrom('reports')
    .select('ended_at as failedAt')
    .where('event_id', '=', eventId)
    .where('simulated', '=', simulated)
    .where('status', '=', sql.lit('failed'))
    .where('ended_at', '>', secondsBefore(now, failuresBeforeRest * eventRestSeconds))
    .where('failure_code', 'in', failuresThatRest)
    .where('lane', '<>', 'byok')
    .orderBy('ended_at', 'desc')
    .limit(failuresBeforeRest)
    .$narrowType<{ failedAt: NotNull }>();
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}
