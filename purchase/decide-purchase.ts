import { type BatchSituation, refusalOfRow } from './batches.js';
import { costsHouse, type HouseDay, isReached } from './house-ceilings.js';
import type { KeyDay } from './key-limits.js';
import { byokCredits, subscriptionCachedUsdCents, subscriptionFreshUsdCents } from './limits.js';
import {
  type AllowedOutcome,
  accountSuspended,
  eventRests,
  grantLimitReached,
  houseLimitReached,
  insufficientCredits,
  keyLimitReachedToday,
  type Lane,
  laneUnavailable,
  networkGrantsReached,
  type PurchaseRequest,
  poolQuoteExpired,
  quoteExpired,
  type Receipt,
  rowLimitExceeded,
  runLimitExceeded,
  usdQuoteExpired,
} from './purchase.js';
import { cachedCredits, honouredCredits, type Quote } from './quote.js';
import type { Refusal } from './refusal.js';
import type { RunsLeft } from './run-limits.js';
import type { UsableGrant } from './weekly-grant.js';

/** Everything that a purchase is decided on, as of one moment. */
export interface PurchaseSituation extends Funds {
  /** The account's own report of the day on the event: finished or still running. */
  readonly owned: OwnedReport | null;
  /** An operator has suspended the account. */
  readonly isSuspended: boolean;
  /** A finished report of the day on the event from any account, sold again at half price. */
  readonly sharedReportId: number | null;
  /** What the account has to set up before it can pay on the lane. */
  readonly missingLaneSetup: readonly string[];
  /** What to do about it, if that depends on more than what is missing. */
  readonly laneNextStep?: string;
  /** For a row of a batch, the runs that batches have left. */
  readonly runs: RunsLeft;
  /** Null if the report is bought by itself. */
  readonly batch: BatchSituation | null;
  /** Seconds until a run of the event may start again after failures; 0 if the event does not rest. */
  readonly restSecondsLeft: number;
  readonly quote: Quote;
  readonly house: HouseDay;
  /** Null without a limit: a session, or a key that has none. */
  readonly keyDay: KeyDay | null;
}

export type OwnedReport = Pick<Receipt, 'reportId' | 'status' | 'lane' | 'pool'>;

/** What to charge, and for which report. */
export type ReportSale = FreshSale | CachedSale;
type FreshSale = Charge & { readonly kind: 'fresh' };
type CachedSale = Charge & { readonly kind: 'cached'; readonly reportId: number };

interface Charge {
  readonly credits: number;
  readonly funding: Funding;
}

export type PurchaseDecision =
  | { readonly decided: 'sell'; readonly sale: ReportSale }
  | { readonly decided: 'answer'; readonly answer: Receipt | Refusal }
  | { readonly decided: 'fresh_needed' };

/**
 * Decides a purchase by these rules, in this order: an owned report costs nothing; then whether the account is
 * suspended, the lane, the house's ceiling, the rest of an event whose runs fail, the hourly run limit, the caller's
 * quote, the budget of the batch, the day of the API key, what pays, and the balance. `fresh_needed`: the purchase is not
 * refused, but takes a run that `allowed` does not permit.
 */
export function decidePurchase(
  request: Pick<PurchaseRequest, 'lane' | keyof CallersQuote>,
  situation: PurchaseSituation,
  allowed: AllowedOutcome,
): PurchaseDecision {
  const { owned, sharedReportId: shared } = situation;
  if (owned !== null) return answer({ ...owned, kind: 'owned', creditsSpent: 0, replayed: false });
  if (allowed === 'owned') return { decided: 'fresh_needed' };

  const kind = shared === null ? 'fresh' : 'cached';
  const charge = chargeFor({ lane: request.lane, kind }, request, situation);
  if ('refused' in charge) return answer(charge);
  if (shared !== null) return { decided: 'sell', sale: { ...charge, kind: 'cached', reportId: shared } };
  return allowed === 'fresh'
    ? { decided: 'sell', sale: { ...charge, kind: 'fresh' } }
    : { decided: 'fresh_needed' };
}

type CallersQuote = Pick<PurchaseRequest, 'quotedCredits' | 'quotedUsdCents' | 'quotedPool'>;

function chargeFor(sale: PricedSale, quoted: CallersQuote, situation: PurchaseSituation): Charge | Refusal {
  const { restSecondsLeft, runs, quote, batch } = situation;
  const refused = refusalOfSale(sale, situation);
  if (refused !== null) return refused;
  if (sale.kind === 'fresh' && restSecondsLeft > 0) return eventRests(restSecondsLeft);
  if (sale.kind === 'fresh' && runs.left === 0)
    return batch === null ? runLimitExceeded(runs.secondsToNext) : rowLimitExceeded(runs.secondsToNext);
  const usdCents = billedUsdCents(sale);
  if (quoted.quotedUsdCents !== null && usdCents > quoted.quotedUsdCents) return usdQuoteExpired(usdCents);
  const price = listPrice(quote.freshCredits, sale);
  const credits = sale.lane === 'subscription' ? price : honouredCredits(price, quoted.quotedCredits);
  if (credits === null) return quoteExpired(price);
  const overBatch = batch === null ? null : refusalOfRow(batch, credits);
  if (overBatch !== null) return overBatch;
  const overKey = refusalOfKey(sale, credits, situation);
  if (overKey !== null) return overKey;
  const funding = fundingOf(situation, sale, credits);
  if ('refused' in funding) return funding;
  const unquoted = quotedPoolRefusal(funding, quoted, situation, price);
  return unquoted ?? shortfall(situation, funding, credits) ?? { credits, funding };
}

/**
 * Why the report is not sold on the lane, whatever the account would pay; null if it is. A price check says the same,
 * because no price would be true.
 */
export function refusalOfSale(sale: PricedSale, situation: PurchaseSituation): Refusal | null {
  const { isSuspended, missingLaneSetup, laneNextStep, house } = situation;
  if (isSuspended) return accountSuspended;
  if (missingLaneSetup.length > 0) return laneUnavailable(sale.lane, missingLaneSetup, laneNextStep);
  return costsHouse(sale) && isReached(house.all) ? houseLimitReached(house.secondsToNextDay) : null;
}

/**
 * The refusal if the API key may not spend that much more today. What it may spend is meant whatever pays: a weekly grant
 * counts with its credits, and a cent that a subscription is billed as one credit.
 */
export function refusalOfKey(
  sale: PricedSale,
  credits: number,
  { keyDay }: Pick<PurchaseSituation, 'keyDay'>,
): Refusal | null {
  if (keyDay === null) return null;
  const { maxCreditsPerDay, spentCredits, resetsAt } = keyDay;
  const isOver = spentCredits + credits + billedUsdCents(sale) > maxCreditsPerDay;
  return isOver ? keyLimitReachedToday(maxCreditsPerDay, spentCredits, resetsAt) : null;
}

/**
 * Purchased credits pay in place of a weekly grant only for a caller who was told so. Nobody who expects a free report
 * is charged.
 */
function quotedPoolRefusal(
  funding: Funding,
  { quotedPool = null }: CallersQuote,
  situation: PurchaseSituation,
  price: number,
): Refusal | null {
  if (funding.pool !== 'purchased') return null;
  if (funding.inPlaceOfGrant === true && quotedPool !== 'purchased') return grantHeldBack(situation);
  return quotedPool === 'weekly_grant' ? poolQuoteExpired(price) : null;
}

function answer(answer: Receipt | Refusal): PurchaseDecision {
  return { decided: 'answer', answer };
}

/** A report on a lane, as far as its price depends on it. */
interface PricedSale {
  readonly kind: 'fresh' | 'cached';
  readonly lane: Lane;
}

/** What a purchase is paid from. Null on the subscription lane, which is metered on delivery. */
export type Funding =
  | { readonly pool: 'weekly_grant'; readonly grant: UsableGrant }
  /** `inPlaceOfGrant`: the account has a weekly grant, which the house's ceiling or its network keeps from paying. */
  | { readonly pool: 'purchased'; readonly inPlaceOfGrant?: true }
  | { readonly pool: null };

/** The funds of an account. */
export interface Funds {
  readonly grant: UsableGrant | null;
  /** Purchased credits. */
  readonly balanceCredits: number;
  /** Credits of refunded or disputed payments that were already spent. */
  readonly owedCredits: number;
}

/** The funds of an account, and what the house takes on today. */
type FundingSituation = Funds & Pick<PurchaseSituation, 'house'>;

/**
 * What pays for a report of that price, or the refusal if only a weekly grant could. The subscription takes no credits.
 * On the credits lane, an unused weekly grant pays for a fresh report in full, unless the account owes credits:
 * otherwise a payment that was taken back would go on buying reports. If the house's ceiling for weekly grants is
 * reached, or the network has had its grants of today, a sufficient balance may pay in its place; without one the report is not sold today. Purchased credits pay
 * for everything else, whether or not the balance is sufficient.
 */
export function fundingOf(situation: FundingSituation, sale: PricedSale, credits: number): Funding | Refusal {
  const { grant, owedCredits, balanceCredits, house } = situation;
  if (sale.lane === 'subscription') return { pool: null };
  const mayUseGrant = sale.lane === 'credits' && sale.kind === 'fresh' && owedCredits === 0;
  if (!mayUseGrant || grant === null) return { pool: 'purchased' };
  if (!isReached(house.weekly_grants) && !grant.isHeldBack) return { pool: 'weekly_grant', grant };
  return balanceCredits < credits ? grantHeldBack(situation) : { pool: 'purchased', inPlaceOfGrant: true };
}

function grantHeldBack({ grant, house }: FundingSituation): Refusal {
  return grant?.isHeldBack === true
    ? networkGrantsReached(house.secondsToNextDay)
    : grantLimitReached(house.secondsToNextDay);
}

/** The refusal if purchased credits pay and are insufficient or owed, otherwise null. */
function shortfall(means: Funds, funding: Funding, credits: number): Refusal | null {
  const { balanceCredits, owedCredits } = means;
  const isShort = funding.pool === 'purchased' && (balanceCredits < credits || owedCredits > 0);
  return isShort ? insufficientCredits(credits, balanceCredits, owedCredits) : null;
}

/** What a subscription is billed for a report, in cents of a US dollar; 0 on the other lanes. */
export function billedUsdCents({ kind, lane }: PricedSale): number {
  if (lane !== 'subscription') return 0;
  return kind === 'fresh' ? subscriptionFreshUsdCents : subscriptionCachedUsdCents;
}

/** The current price of a report on a lane in credits, before the caller's quote is applied. */
export function listPrice(freshCredits: number, sale: PricedSale): number {
  const credits = sale.kind === 'fresh' ? freshCredits : cachedCredits(freshCredits);
  switch (sale.lane) {
    case 'credits':
      return credits;
    case 'byok':
      return sale.kind === 'fresh' ? byokCredits : Math.min(credits, byokCredits);
    case 'subscription':
      return 0;
  }
}
