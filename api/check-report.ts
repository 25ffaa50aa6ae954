import type { CheckView } from '../contract/purchase.js';
import type { Lane } from '../council/purchase.js';
import { laneUnavailable } from '../council/purchase-refusals.js';
import { utcDay } from '../council/utc-day.js';
import { poolFor } from '../db/funding.js';
import { laneGaps } from '../db/lane-gaps.js';
import { priceOf } from '../db/price.js';
import { findOwnedReport, findSharedReport } from '../db/purchased-reports.js';
import { currentQuote } from '../db/quotes.js';
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
  const { db, simulated } = context;
  const now = context.now();
  await findEvent(context.markets, question.eventId);
  const wish = { ...question, utcDay: utcDay(now) };
  const owned = await findOwnedReport(db, wish, simulated);
  const shared = await findSharedReport(db, wish, simulated);
  const cost =
    owned === null
      ? await costOf(context, question, shared === null ? 'fresh' : 'cached')
      : { cost_credits: 0, lane: question.lane, pool: owned.pool };
  return {
    has_cached_report: shared !== null,
    already_purchased: owned !== null,
    ...(owned === null ? {} : { report_id: owned.reportId }),
    ...cost,
    pricing: presentPricing(await currentQuote(db, simulated)),
  };
}

async function costOf({ db, simulated, now }: ApiContext, question: Question, kind: 'fresh' | 'cached') {
  const asked = { ...question, kind, simulated, now: now() };
  const gaps = await laneGaps(db, asked);
  if (gaps.length > 0) throw Problem.of(laneUnavailable(question.lane, gaps));
  return {
    cost_credits: await priceOf(db, asked),
    lane: question.lane,
    pool: await poolFor(db, asked, asked),
  };
}
