import type { CheckView } from '../../contract/purchase.js';
import { utcDay } from '../../council/calendar.js';
import { fundingOf, listPrice, type PurchaseSituation } from '../../council/purchase/decide-purchase.js';
import { type Lane, laneUnavailable } from '../../council/purchase/purchase.js';
import { findActiveSubscription } from '../../db/billing/subscriptions.js';
import { readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import type { Principal } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { presentPricing } from '../present/prices.js';
import { findEvent } from './find-event.js';

interface Question {
  readonly accountId: string;
  readonly eventId: string;
  readonly lane: Lane;
}

/**
 * What a report on the event would cost the caller now, and out of what; spends nothing and records nothing.
 * @throws Problem `lane_unavailable` where the caller could not pay on that lane
 */
export async function checkReport(context: ApiContext, question: Question): Promise<CheckView> {
  await findEvent(context.markets, question.eventId);
  const now = context.now();
  const wish = { ...question, utcDay: utcDay(now) };
  const situation = await readPurchaseSituation(context.db, wish, { simulated: context.simulated, now });
  const { owned, sharedReportId } = situation;
  const { lane } = question;
  const cost = owned === null ? costOf(situation, lane) : { cost_credits: 0, lane, pool: owned.pool };
  return {
    has_cached_report: sharedReportId !== null,
    already_purchased: owned !== null,
    ...(owned === null ? {} : { report_id: owned.reportId }),
    ...cost,
    pricing: presentPricing(situation.quote),
  };
}

function costOf(situation: PurchaseSituation, lane: Lane) {
  const { laneGaps, sharedReportId, quote } = situation;
  if (laneGaps.length > 0) throw Problem.of(laneUnavailable(lane, laneGaps));
  const sale = { kind: sharedReportId === null ? 'fresh' : 'cached', lane } as const;
  const { pool } = fundingOf(situation, sale);
  return { cost_credits: listPrice(quote.freshCredits, sale), lane, pool };
}

/**
 * The lane a request is paid on: the one it asks for; else the subscription, where an account that has one asks with
 * an API key; else credits.
 */
export async function laneOf(
  { db, now }: Pick<ApiContext, 'db' | 'now'>,
  { accountId, apiKeyId }: Principal,
  asked: Lane | undefined,
): Promise<Lane> {
  if (asked !== undefined) return asked;
  if (apiKeyId === null) return 'credits';
  return (await findActiveSubscription(db, accountId, now())) === null ? 'credits' : 'subscription';
}
