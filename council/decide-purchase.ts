import { type Funding, fundingOf, type Means, shortfall } from './funding.js';
import { listPrice } from './list-price.js';
import type { PurchaseReach, PurchaseRequest, Receipt } from './purchase.js';
import { laneUnavailable, quoteExpired, runLimitExceeded } from './purchase-refusals.js';
import { honouredCredits, type Quote } from './quote.js';
import type { Refusal } from './refusal.js';
import type { RunsLeft } from './runs-left.js';

/** All that a purchase is decided on, as it stood at one moment. */
export interface PurchaseSituation extends Means {
  /** The day's report on the event that the account has paid for: finished, or still in flight. */
  readonly owned: OwnedReport | null;
  /** Anybody's finished report of the day on the event: the one that is sold again at half price. */
  readonly sharedReportId: number | null;
  /** What the account would have to set up before it could pay on the lane. */
  readonly laneGaps: readonly string[];
  readonly runs: RunsLeft;
  readonly quote: Quote;
}

export type OwnedReport = Pick<Receipt, 'reportId' | 'status' | 'lane' | 'pool'>;

/** What is to be charged, and for what. */
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
 * The rules of a sale, in the order in which they are asked: what is owned costs nothing; then the lane, the runs an hour, the
 * quote that the caller holds, and the money. `fresh_needed`: nothing to refuse, but only a run could answer it, and this
 * purchase may not reach so far.
 */
export function decidePurchase(
  request: Pick<PurchaseRequest, 'lane' | 'quotedCredits'>,
  situation: PurchaseSituation,
  reach: PurchaseReach,
): PurchaseDecision {
  const { owned, sharedReportId: shared } = situation;
  if (owned !== null) return answer({ ...owned, kind: 'owned', creditsSpent: 0, replayed: false });
  if (reach === 'owned') return { decided: 'fresh_needed' };

  const charge = chargeFor(
    { lane: request.lane, kind: shared === null ? 'fresh' : 'cached' },
    request,
    situation,
  );
  if ('refused' in charge) return answer(charge);
  if (shared !== null) return { decided: 'sell', sale: { ...charge, kind: 'cached', reportId: shared } };
  return reach === 'fresh'
    ? { decided: 'sell', sale: { ...charge, kind: 'fresh' } }
    : { decided: 'fresh_needed' };
}

function chargeFor(
  wanted: { readonly kind: 'fresh' | 'cached'; readonly lane: PurchaseRequest['lane'] },
  { quotedCredits }: Pick<PurchaseRequest, 'quotedCredits'>,
  situation: PurchaseSituation,
): Charge | Refusal {
  const { laneGaps, runs, quote } = situation;
  if (laneGaps.length > 0) return laneUnavailable(wanted.lane, laneGaps);
  if (wanted.kind === 'fresh' && runs.left === 0) return runLimitExceeded(runs.secondsToNext);
  const price = listPrice(quote.freshCredits, wanted);
  const credits = wanted.lane === 'subscription' ? price : honouredCredits(price, quotedCredits);
  if (credits === null) return quoteExpired(price);
  const funding = fundingOf(situation, wanted);
  return shortfall(situation, funding, credits) ?? { credits, funding };
}

function answer(given: Receipt | Refusal): PurchaseDecision {
  return { decided: 'answer', answer: given };
}
