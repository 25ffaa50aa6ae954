import type { CheckView } from '../../contract/purchase.js';
import { utcDay } from '../../council/calendar.js';
import { readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import {
  fundingOf,
  listPrice,
  type OwnedReport,
  type PurchaseSituation,
  refusalOfKey,
  refusalOfSale,
} from '../../purchase/decide-purchase.js';
import { type Lane, nothingToForecast } from '../../purchase/purchase.js';
import type { Refusal } from '../../purchase/refusal.js';
import type { GrantClaimant } from '../../purchase/weekly-grant.js';
import type { Principal } from '../auth/principal.js';
import { readPayingSubscription } from '../billing/subscriptions.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { presentDollars, presentPricing } from '../present/prices.js';
import { findEvent, type RequestedEvent, readTrading, tradingOf } from './find-event.js';

interface CheckRequest extends RequestedEvent {
  readonly accountId: string;
  readonly apiKeyId: string | null;
  readonly lane: Lane;
  readonly claimant: GrantClaimant;
  readonly minMembers: number;
}

/**
 * What a report on the event would cost the caller now, and from which pool. Charges nothing. As for a purchase, only a
 * report that takes a run needs the market, and an event with nothing left to forecast sells none except to its owners.
 * @throws Problem `event_closed`; `lane_unavailable` when the account cannot pay on that lane; `account_suspended`;
 * `house_limit_reached`; `key_limit_reached_today`
 */
export async function checkPurchase(context: ApiContext, request: CheckRequest): Promise<CheckView> {
  const now = context.now();
  const [situation, recordHead] = await Promise.all([
    readPurchaseSituation(
      context.db,
      { ...request, utcDay: utcDay(now) },
      { simulated: context.simulated, policy: context.policy, now },
    ),
    context.recordHead(),
  ]);
  const { owned, sharedReportId } = situation;
  const refused = owned === null ? await refusalOf(context, request, sharedReportId !== null) : null;
  if (refused !== null) throw Problem.of(refused);
  const { lane } = request;
  const cost = owned === null ? costOf(situation, lane) : ownedCost(owned, lane);
  return {
    has_cached_report: sharedReportId !== null,
    already_purchased: owned !== null,
    ...(owned === null ? {} : { report_id: owned.reportId }),
    ...cost,
    pricing: presentPricing(situation.quote),
    record_head: recordHead,
  };
}

async function refusalOf(
  context: ApiContext,
  request: RequestedEvent,
  isStored: boolean,
): Promise<Refusal | null> {
  const { isClosed, isProvisional } = isStored
    ? await readTrading(context, request)
    : tradingOf(request.live ?? (await findEvent(context.markets, request.eventId, 'check')).value);
  return isClosed ? nothingToForecast(isProvisional) : null;
}

function costOf(situation: PurchaseSituation, lane: Lane) {
  const { sharedReportId, quote } = situation;
  const sale = { kind: sharedReportId === null ? 'fresh' : 'cached', lane } as const;
  const refused = refusalOfSale(sale, situation);
  if (refused !== null) throw Problem.of(refused);
  const credits = listPrice(quote.freshCredits, sale);
  const overKey = refusalOfKey(sale, credits, situation);
  if (overKey !== null) throw Problem.of(overKey);
  const funding = fundingOf(situation, sale, credits);
  if ('refused' in funding) throw Problem.of(funding);
  return { cost_credits: credits, ...presentDollars(sale), lane, pool: funding.pool };
}

function ownedCost({ pool }: OwnedReport, lane: Lane) {
  return { cost_credits: 0, ...presentDollars({ kind: 'owned', lane }), lane, pool };
}

/**
 * The lane that pays for a request: the requested one; otherwise the subscription, if the account has one and the
 * request has an API key; otherwise credits. If the subscription decides, its state is not older than its period.
 */
export async function laneOf(
  context: Pick<ApiContext, 'db' | 'now' | 'log' | 'payments'>,
  { accountId, apiKeyId }: Principal,
  requested: Lane | undefined,
): Promise<Lane> {
  if (requested !== undefined && requested !== 'subscription') return requested;
  if (requested === undefined && apiKeyId === null) return 'credits';
  const isPaid = await readPayingSubscription(context, accountId);
  return requested ?? (isPaid ? 'subscription' : 'credits');
}
