import type { CheckView } from '../../contract/purchase.js';
import { utcDay } from '../../council/calendar.js';
import {
  fundingOf,
  listPrice,
  type OwnedReport,
  type PurchaseSituation,
} from '../../council/purchase/decide-purchase.js';
import { type Lane, laneUnavailable } from '../../council/purchase/purchase.js';
import { readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import type { Principal } from '../auth/principal.js';
import { readPayingSubscription } from '../billing/subscriptions.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { presentDollars, presentPricing } from '../present/prices.js';
import { findEvent, type RequestedEvent } from './find-event.js';

interface CheckRequest extends RequestedEvent {
  readonly accountId: string;
  readonly lane: Lane;
}

/**
 * What a report on the event would cost the caller now, and from which pool. Charges nothing and stores nothing. As for
 * a purchase, only a report that takes a run needs the market.
 * @throws Problem `lane_unavailable` when the account cannot pay on that lane
 */
export async function checkReport(context: ApiContext, request: CheckRequest): Promise<CheckView> {
  const now = context.now();
  const situation = await readPurchaseSituation(
    context.db,
    { ...request, utcDay: utcDay(now) },
    { simulated: context.simulated, now },
  );
  const { owned, sharedReportId } = situation;
  const isStored = owned !== null || sharedReportId !== null;
  if (!isStored && request.live === null) await findEvent(context.markets, request.eventId);
  const { lane } = request;
  const cost = owned === null ? costOf(situation, lane) : ownedCost(owned, lane);
  return {
    has_cached_report: sharedReportId !== null,
    already_purchased: owned !== null,
    ...(owned === null ? {} : { report_id: owned.reportId }),
    ...cost,
    pricing: presentPricing(situation.quote),
  };
}

function costOf(situation: PurchaseSituation, lane: Lane) {
  const { missingLaneSetup, laneNextStep, sharedReportId, quote } = situation;
  if (missingLaneSetup.length > 0) throw Problem.of(laneUnavailable(lane, missingLaneSetup, laneNextStep));
  const sale = { kind: sharedReportId === null ? 'fresh' : 'cached', lane } as const;
  const { pool } = fundingOf(situation, sale);
  return { cost_credits: listPrice(quote.freshCredits, sale), ...presentDollars(sale), lane, pool };
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
