import type { Lane } from '../council/purchase.js';
import { utcDay } from '../council/utc-day.js';
import { priceOf } from '../db/price.js';
import { findOwnedReport, findSharedReport } from '../db/purchased-reports.js';
import { currentQuote } from '../db/quotes.js';
import type { ApiContext } from './context.js';
import { findEvent } from './find-event.js';
import { presentPricing } from './present/pricing.js';

/** What a report on the event would cost the caller now; spends nothing and records nothing. */
export async function checkReport(
  context: ApiContext,
  question: { accountId: string; eventId: string; lane: Lane },
) {
  const { eventId, lane } = question;
  const { simulated } = context;
  await findEvent(context.markets, eventId);
  const wish = { ...question, utcDay: utcDay(context.now()) };
  const owned = await findOwnedReport(context.db, wish, simulated);
  const shared = await findSharedReport(context.db, wish, simulated);
  const kind = shared === null ? 'fresh' : 'cached';
  return {
    has_cached_report: shared !== null,
    already_purchased: owned !== null,
    ...(owned === null ? {} : { report_id: owned.reportId }),
    cost_credits: owned === null ? await priceOf(context.db, { kind, lane, simulated }) : 0,
    lane,
    pool: 'purchased',
    pricing: presentPricing(await currentQuote(context.db, simulated)),
  };
}
