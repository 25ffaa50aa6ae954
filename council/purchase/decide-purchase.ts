import { byokCredits, runsPerHour, runWindowSeconds } from '../limits.js';
import type { Refusal } from '../problems.js';
import {
  type AllowedOutcome,
  insufficientCredits,
  type Lane,
  laneUnavailable,
  type PurchaseRequest,
  quoteExpired,
  type Receipt,
  runLimitExceeded,
} from './purchase.js';
import { cachedCredits, honouredCredits, type Quote } from './quote.js';
import type { UsableGrant } from './weekly-grant.js';

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
  reach: AllowedOutcome,
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

/** Out of what a purchase is paid. Nothing on the subscription, which is metered when the report is delivered. */
export type Funding =
  | { readonly pool: 'weekly_grant'; readonly grant: UsableGrant }
  | { readonly pool: 'purchased' }
  | { readonly pool: null };

/** What an account has to pay with. */
export interface Means {
  readonly grant: UsableGrant | null;
  /** Purchased credits. */
  readonly balanceCredits: number;
}

/**
 * What pays for a report, in the order of `contract` §6: the subscription takes no credits; on the credits lane the
 * weekly grant pays a fresh report whole, and purchased credits pay everything else, whether they are enough or not.
 */
export function fundingOf({ grant }: Means, sale: { kind: 'fresh' | 'cached'; lane: Lane }): Funding {
  if (sale.lane === 'subscription') return { pool: null };
  const isGranted = sale.lane === 'credits' && sale.kind === 'fresh' && grant !== null;
  return isGranted ? { pool: 'weekly_grant', grant } : { pool: 'purchased' };
}

/** The refusal of a caller whose purchased credits would have to pay, and are too few; null where they are enough. */
function shortfall(means: Means, funding: Funding, credits: number): Refusal | null {
  const isShort = funding.pool === 'purchased' && means.balanceCredits < credits;
  return isShort ? insufficientCredits(credits, means.balanceCredits) : null;
}

/** Credits that a report costs now on a lane, before any quote of the caller's is looked at. */
export function listPrice(freshCredits: number, sale: { kind: 'fresh' | 'cached'; lane: Lane }): number {
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

export interface RunsLeft {
  readonly left: number;
  /** Seconds until one more run may begin; 0 while there is one left. */
  readonly secondsToNext: number;
}

/**
 * How many fresh runs an account may still begin within the sliding hour.
 * @param begunAt of those within it that still count, newest first
 */
export function runsLeft(begunAt: readonly Date[], now: Date): RunsLeft {
  const blocking = begunAt[runsPerHour - 1];
  if (blocking === undefined) return { left: runsPerHour - begunAt.length, secondsToNext: 0 };
  const freeAt = blocking.getTime() + runWindowSeconds * 1_000;
  return { left: 0, secondsToNext: Math.max(1, Math.ceil((freeAt - now.getTime()) / 1_000)) };
}
