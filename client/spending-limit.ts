import type { Check } from './api-types.js';
import { CouncilProblem } from './council-problem.js';

/** What a caller allows a purchase to cost, in each unit that a lane can bill. Null: no limit was stated. */
export interface SpendingLimit {
  readonly maxCredits: number | null;
  readonly maxUsdCents: number | null;
}

/** `not_allowed`: the lane bills a unit for which the caller has stated no limit. */
export type Excess = 'credits_over_limit' | 'credits_not_allowed' | 'usd_over_limit' | 'usd_not_allowed';

/**
 * Why a purchase must not be made at the checked price; null if it may be. Dollars need a limit in dollars, because a
 * limit in credits says nothing about them. Credits need none, unless only a limit in dollars was stated. A limit that is
 * not a number allows nothing.
 */
export function excessOf(check: Check, { maxCredits, maxUsdCents }: SpendingLimit): Excess | null {
  const usdCents = check.price_usd_cents ?? 0;
  if (usdCents > 0) {
    if (maxUsdCents === null) return 'usd_not_allowed';
    return usdCents <= maxUsdCents ? null : 'usd_over_limit';
  }
  if (check.cost_credits === 0) return null;
  if (maxCredits === null) return maxUsdCents === null ? null : 'credits_not_allowed';
  return check.cost_credits <= maxCredits ? null : 'credits_over_limit';
}

/** The fields of a purchase that buy what was checked: on that lane, and at that price or a lower one. */
export function quoteFrom(check: Check) {
  const { cost_credits: quoted_credits, price_usd_cents: quoted_usd_cents, lane, pool } = check;
  return {
    quoted_credits,
    lane,
    ...(quoted_usd_cents === undefined ? {} : { quoted_usd_cents }),
    ...(pool === null ? {} : { quoted_pool: pool }),
  };
}

/** For amounts like 4.35, whose product with 100 is a little too low. */
const centTolerance = 1e-6;

/** A limit in dollars in whole cents, rounded down. */
export function centsOf(usd: number): number {
  return Math.floor(usd * 100 + centTolerance);
}

/** @throws CouncilProblem `over_max_credits` or `over_max_usd` if the checked price is above the limit */
export function assertWithinLimit(check: Check, limit: SpendingLimit): void {
  const excess = excessOf(check, limit);
  if (excess === null) return;
  const { cost_credits, price_usd_cents = 0, lane } = check;
  const usd = (price_usd_cents / 100).toFixed(2);
  const why = {
    credits_over_limit: `costs ${cost_credits} credits, more than maxCredits ${limit.maxCredits}`,
    credits_not_allowed: `costs ${cost_credits} credits, and no maxCredits allows credits beside maxUsd`,
    usd_over_limit: `costs ${usd} USD, more than maxUsd ${((limit.maxUsdCents ?? 0) / 100).toFixed(2)}`,
    usd_not_allowed: `costs ${usd} USD, billed to the subscription, and no maxUsd allows dollars`,
  }[excess];
  const code = excess.startsWith('usd') ? 'over_max_usd' : 'over_max_credits';
  throw new CouncilProblem(code, `The report ${why}. Nothing was bought.`, {
    fields: code === 'over_max_usd' ? { price_usd_cents, lane } : { cost_credits, lane },
  });
}
