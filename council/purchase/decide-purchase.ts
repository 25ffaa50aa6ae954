import { byokCredits, subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../limits.js';
import type { Refusal } from '../problems.js';
import {
  type AllowedOutcome,
  eventRests,
  insufficientCredits,
  type Lane,
  laneUnavailable,
  type PurchaseRequest,
  quoteExpired,
  type Receipt,
  runLimitExceeded,
  usdQuoteExpired,
} from './purchase.js';
import { cachedCredits, honouredCredits, type Quote } from './quote.js';
import type { RunsLeft } from './run-limits.js';
import type { UsableGrant } from './weekly-grant.js';

/** Everything that a purchase is decided on, as of one moment. */
export interface PurchaseSituation extends Funds {
  /** The account's own report of the day on the event: finished or still running. */
  readonly owned: OwnedReport | null;
  /** A finished report of the day on the event from any account, sold again at half price. */
  readonly sharedReportId: number | null;
  /** What the account has to set up before it can pay on the lane. */
  readonly missingLaneSetup: readonly string[];
  /** What to do about it, if that depends on more than what is missing. */
  readonly laneNextStep?: string;
  readonly runs: RunsLeft;
  /** Seconds until a run of the event may start again after failures; 0 if the event does not rest. */
  readonly restSecondsLeft: number;
  readonly quote: Quote;
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
 * Decides a purchase by these rules, in this order: an owned report costs nothing; then the lane, the rest of an event
 * whose runs fail, the hourly run limit, the caller's quote, and the balance. `fresh_needed`: the purchase is not
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

type CallersQuote = Pick<PurchaseRequest, 'quotedCredits' | 'quotedUsdCents'>;

function chargeFor(
  sale: PricedSale,
  { quotedCredits, quotedUsdCents }: CallersQuote,
  situation: PurchaseSituation,
): Charge | Refusal {
  const { missingLaneSetup, laneNextStep, restSecondsLeft, runs, quote } = situation;
  if (missingLaneSetup.length > 0) return laneUnavailable(sale.lane, missingLaneSetup, laneNextStep);
  if (sale.kind === 'fresh' && restSecondsLeft > 0) return eventRests(restSecondsLeft);
  if (sale.kind === 'fresh' && runs.left === 0) return runLimitExceeded(runs.secondsToNext);
  const usdCents = billedUsdCents(sale);
  if (quotedUsdCents !== null && usdCents > quotedUsdCents) return usdQuoteExpired(usdCents);
  const price = listPrice(quote.freshCredits, sale);
  const credits = sale.lane === 'subscription' ? price : honouredCredits(price, quotedCredits);
  if (credits === null) return quoteExpired(price);
  const funding = fundingOf(situation, sale);
  return shortfall(situation, funding, credits) ?? { credits, funding };
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
  | { readonly pool: 'purchased' }
  | { readonly pool: null };

/** The funds of an account. */
export interface Funds {
  readonly grant: UsableGrant | null;
  /** Purchased credits. */
  readonly balanceCredits: number;
  /** Credits of refunded or disputed payments that were already spent. */
  readonly owedCredits: number;
}

/**
 * What pays for a report. The subscription takes no credits. On the credits lane, an unused weekly grant pays
 * for a fresh report in full, unless the account owes credits: otherwise a payment that was taken back would
 * go on buying reports. Purchased credits pay for everything else, whether or not the balance is sufficient.
 */
export function fundingOf({ grant, owedCredits }: Funds, sale: PricedSale): Funding {
  if (sale.lane === 'subscription') return { pool: null };
  const mayUseGrant = sale.lane === 'credits' && sale.kind === 'fresh' && owedCredits === 0;
  const isGranted = mayUseGrant && grant !== null;
  return isGranted ? { pool: 'weekly_grant', grant } : { pool: 'purchased' };
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
