import { randomUUID } from 'node:crypto';
import type { MarketEvent } from '../../../council/event.js';
import type {
  AllowedOutcome,
  PurchaseOutcome,
  PurchaseRequest,
  Receipt,
  RefundReceipt,
} from '../../../council/purchase/purchase.js';
import type { Conclusion } from '../../../council/report.js';
import type { FrozenForecast } from '../../../council/track-record/recorded-forecast.js';
import type { Db } from '../../../db/database.js';
import { type ProviderCall, recordProviderCall } from '../../../db/pricing/provider-calls.js';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import { refundPurchase } from '../../../db/purchases/refunds.js';
import { completeReport } from '../../../db/reports/complete-report.js';
import { freezeMarket } from '../../../db/reports/run.js';
import { event, market } from '../../council/fixtures.js';
import { later, noon, today } from './test-world.js';

type Wish = Partial<PurchaseRequest> & { readonly accountId: string; readonly eventId: string };

interface Circumstances {
  readonly now?: Date;
  readonly simulated?: boolean;
  readonly reach?: AllowedOutcome;
}

/** A wish that may be answered until ten seconds after `now`. */
export function request(wish: Wish, now = noon): PurchaseRequest {
  return {
    purchaseId: randomUUID(),
    apiKeyId: null,
    utcDay: today,
    lane: 'credits',
    quotedCredits: null,
    idempotency: null,
    answerBy: later({ seconds: 10 }, now).toISOString(),
    ...wish,
  };
}

/** Tries to buy, by a run of the council if need be. */
export function buy(db: Db, wish: Wish, circumstances: Circumstances = {}): Promise<PurchaseOutcome> {
  const { now = noon, simulated = true, reach = 'fresh' } = circumstances;
  return purchaseReport(
    db,
    request(wish, now),
    { now, simulated, eventTitle: 'Rain?', workflowId: 'test', seed: 'seed' },
    reach,
  );
}

/** Buys what is there to be bought; throws when it is refused. */
export async function bought(db: Db, wish: Wish, circumstances: Circumstances = {}): Promise<Receipt> {
  const outcome = await buy(db, wish, circumstances);
  if (outcome === 'fresh_needed' || 'refused' in outcome) throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** A run as it goes well, at a cost of `usdMicros`. */
export async function complete(db: Db, reportId: number, usdMicros = 400_000, now = noon): Promise<void> {
  await recordCost(db, reportId, usdMicros, now);
  await freezeMarket(db, reportId, snapshot);
  await completeReport(db, reportId, { conclusion, dropouts: [], forecast: forecastOf(reportId), now });
}

export async function recordCost(db: Db, reportId: number, costUsdMicros: number, now = noon): Promise<void> {
  await recordProviderCall(db, answeredCall(reportId, { costUsdMicros, now }));
}

/** A call to a member that brought an answer. */
export function answeredCall(reportId: number, told: Partial<ProviderCall> = {}): ProviderCall {
  return {
    reportId,
    stage: 'opinions',
    model: 'claude',
    modelId: 'test',
    outcome: 'answered',
    inputTokens: 1,
    outputTokens: 1,
    costUsdMicros: 1,
    latencyMs: 1,
    simulated: true,
    now: noon,
    ...told,
  };
}

/** What a run does that has failed. */
export async function refund(
  db: Db,
  { accountId, purchaseId }: { accountId: string; purchaseId: string },
  now = noon,
): Promise<RefundReceipt> {
  return (await refundPurchase(db, { purchaseId, accountId, failure: 'quorum_lost', now })).receipt;
}

const rain: MarketEvent = event([market({ name: 'Rain' })]);

export const snapshot = { event: rain, queriedMarket: 'Rain', pricesAt: noon };

/** As much of a forecast as the database looks at: whose it is. */
export function forecastOf(reportId: number): FrozenForecast {
  return { report_id: reportId } as FrozenForecast;
}

/** As much of a conclusion as the database looks at: nothing. */
export const conclusion = { action: 'SKIP', probability: 41.7 } as Conclusion;
