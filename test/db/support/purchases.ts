import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { MarketEvent } from '../../../council/event.js';
import type { Conclusion } from '../../../council/report.js';
import type { Db } from '../../../db/database.js';
import { type ProviderCall, recordProviderCall } from '../../../db/pricing/provider-calls.js';
import { readQuoteHistory } from '../../../db/pricing/quotes.js';
import { type PurchaseContext, purchaseReport } from '../../../db/purchases/purchases.js';
import { refundPurchase } from '../../../db/purchases/refunds.js';
import { type Completion, completeReport } from '../../../db/reports/complete-report.js';
import type { CeilingNotice, SalesPolicy } from '../../../purchase/house-ceilings.js';
import type {
  AllowedOutcome,
  PurchaseOutcome,
  PurchaseRequest,
  Receipt,
  RefundReceipt,
} from '../../../purchase/purchase.js';
import type { WindowedQuote } from '../../../purchase/quote.js';
import type { FrozenForecast } from '../../../record/recorded-forecast.js';
import { event, market, unlimitedSales } from '../../council/fixtures.js';
import { noon, type TestWorld, today } from './test-world.js';

type PurchaseFields = Partial<PurchaseRequest> & { readonly accountId: string; readonly eventId: string };

interface Circumstances {
  readonly now?: Date;
  readonly simulated?: boolean;
  readonly allowedOutcome?: AllowedOutcome;
  readonly policy?: Partial<SalesPolicy>;
  readonly onCeiling?: (notice: CeilingNotice) => void;
  readonly firstStage?: PurchaseContext['firstStage'];
}

/** A purchase request without a deadline. */
export function purchaseRequest(fields: PurchaseFields): PurchaseRequest {
  return {
    purchaseId: randomUUID(),
    apiKeyId: null,
    utcDay: today,
    lane: 'credits',
    quotedCredits: null,
    quotedUsdCents: null,
    idempotency: null,
    answerBy: null,
    ...fields,
  };
}

/** Attempts a purchase, which may start a fresh run by default. */
export function buy(
  db: Db,
  fields: PurchaseFields,
  circumstances: Circumstances = {},
): Promise<PurchaseOutcome> {
  const {
    now = noon,
    simulated = true,
    allowedOutcome = 'fresh',
    policy,
    onCeiling = () => undefined,
    firstStage,
  } = circumstances;
  return purchaseReport(
    db,
    purchaseRequest(fields),
    {
      ...newRunAt(now),
      simulated,
      policy: { ...unlimitedSales, ...policy },
      onCeiling,
      ...(firstStage === undefined ? {} : { firstStage }),
    },
    allowedOutcome,
  );
}

/** What a report of a run without ceilings is created with. */
export function newRunAt(now: Date): PurchaseContext {
  return {
    now,
    simulated: true,
    policy: unlimitedSales,
    onCeiling: () => undefined,
    eventTitle: 'Rain?',
    workflowId: 'test',
    seed: 'seed',
  };
}

export function isSold(outcome: PurchaseOutcome): outcome is Receipt {
  return outcome !== 'fresh_needed' && 'kind' in outcome;
}

/** Attempts a purchase and throws if it is refused. */
export async function bought(
  db: Db,
  fields: PurchaseFields,
  circumstances: Circumstances = {},
): Promise<Receipt> {
  const outcome = await buy(db, fields, circumstances);
  if (!isSold(outcome)) throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** Sells a report, by default a fresh one on an event of its own to an account of its own with 1,000 credits. */
export async function sell(
  world: TestWorld,
  fields: Partial<PurchaseRequest> = {},
  circumstances: Circumstances = {},
): Promise<PurchaseRequest & Receipt> {
  const accountId = fields.accountId ?? (await world.openAccount(1_000));
  const eventId = fields.eventId ?? (await world.openEvent());
  const purchase = purchaseRequest({ ...fields, accountId, eventId });
  return { ...purchase, ...(await bought(world.db, purchase, circumstances)) };
}

/** Completes a run at a cost of `usdMicros`. */
export async function complete(db: Db, reportId: number, usdMicros = 400_000, now = noon): Promise<void> {
  await recordCost(db, reportId, usdMicros, now);
  await freezeMarket(db, reportId, snapshot);
  await finish(db, reportId, { now });
}

/** Completes a run whose market is frozen. @returns false if it had ended before */
export function finish(db: Db, reportId: number, fields: Partial<Completion> = {}): Promise<boolean> {
  const forecast = forecastOf(reportId);
  return completeReport(db, reportId, {
    conclusion,
    dropouts: [],
    otherVenue: null,
    forecast,
    now: noon,
    ...fields,
  });
}

export async function recordCost(db: Db, reportId: number, costUsdMicros: number, now = noon): Promise<void> {
  await recordProviderCall(db, answeredCall(reportId, { costUsdMicros, now }));
}

/** A model call that returned an answer. */
export function answeredCall(reportId: number, fields: Partial<ProviderCall> = {}): ProviderCall {
  return {
    callId: randomUUID(),
    reportId,
    stage: 'opinions',
    model: 'claude',
    modelId: 'test',
    outcome: 'answered',
    inputTokens: 1,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 1,
    searches: 0,
    costUsdMicros: 1,
    estimatedUsdMicros: 0,
    latencyMs: 1,
    simulated: true,
    now: noon,
    ...fields,
  };
}

/** The quote in force with its window; null before the first completed run. */
export async function newestWindow(db: Db, simulated = true): Promise<WindowedQuote | null> {
  const [newest] = await readQuoteHistory(db, { simulated, limit: 1 });
  return newest?.quote ?? null;
}

/** Refunds a purchase, as a failed run does. */
export async function refund(
  db: Db,
  { accountId, purchaseId }: { accountId: string; purchaseId: string },
  now = noon,
): Promise<RefundReceipt> {
  return (await refundPurchase(db, { purchaseId, accountId, failure: 'quorum_lost', now })).receipt;
}

/** Starts a pending report, which in a purchase of the worker happens with the charge. */
export async function freezeMarket(
  db: Db,
  reportId: number,
  { event, queriedMarket, pricesAt }: { event: MarketEvent; queriedMarket: string; pricesAt: Date },
): Promise<void> {
  await sql`
    update reports set status = 'processing', stage = 'opinions', event = ${JSON.stringify(event)}::json,
      queried_market = ${queriedMarket}, prices_at = ${pricesAt}
    where id = ${reportId} and status = 'pending'`.execute(db);
}

const rain: MarketEvent = event([market({ name: 'Rain' })]);

export const snapshot = { event: rain, queriedMarket: 'Rain', pricesAt: noon };

/** A forecast of one market, as the record keeps it. */
export function forecastOf(reportId: number): FrozenForecast {
  return {
    record: 'record/1',
    report_id: reportId,
    event_id: rain.eventId,
    event_title: rain.title,
    category: null,
    simulated: true,
    method: 'council/1',
    model_ids: {},
    prompt_sha256: '0'.repeat(64),
    prices_at: noon.toISOString(),
    completed_at: noon.toISOString(),
    exclusive: true,
    degraded: false,
    conflict: false,
    action: 'SKIP',
    queried_market: 'Rain',
    headline: { outcome: 'Rain', percent: 41.7, source: 'council' },
    outcomes: [
      {
        name: 'Rain',
        market_id: null,
        side: 'yes',
        council: 41.7,
        market: null,
        members: {},
        estimate: null,
        first_council: 41.7,
        first_members: {},
      },
    ],
    left_out: [],
    bets: [],
    estimate_weights: null,
    evidence: null,
  };
}

/** What the verification of the record reads of a conclusion, by that forecast. */
export const conclusion = {
  action: 'SKIP',
  queried_market: 'Rain',
  probability: 41.7,
  runtime: {
    exclusive: true,
    degraded: false,
    simulated: true,
    prices_at: noon.toISOString(),
    consensus_market_conflict: false,
    most_likely_outcome: 'Rain',
    most_likely_probability: 41.7,
    most_likely_source: 'council',
    market_probabilities: { Rain: 41.7 },
    market_implied_probabilities: { Rain: null },
    estimate: null,
    top_bets: [],
    best_edge: null,
    method: { name: 'council/1' },
  },
} as object as Conclusion;

/** Creates runs in a given status, each with its own purchase and account. */
export function openRuns(world: TestWorld) {
  const pending = () => sell(world);
  const processing = async () => {
    const run = await pending();
    await freezeMarket(world.db, run.reportId, snapshot);
    return run;
  };
  const failed = async () => {
    const run = await pending();
    await refund(world.db, run);
    return run;
  };
  return { pending, processing, failed };
}
