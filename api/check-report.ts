import type { CheckView } from '../contract/purchase.js';
import type { PurchaseSituation } from '../council/decide-purchase.js';
import { fundingOf } from '../council/funding.js';
import { listPrice } from '../council/list-price.js';
import type { Lane } from '../council/purchase.js';
import { laneUnavailable } from '../council/purchase-refusals.js';
import { utcDay } from '../council/utc-day.js';
import { readPurchaseSituation } from '../db/purchase-situation.js';
import type { ApiContext } from './context.js';
import { findEvent } from './find-event.js';
import { presentPricing } from './present/pricing.js';
import { Problem } from './problem.js';

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
