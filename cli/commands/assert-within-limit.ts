import { type Excess, excessOf, type SpendingLimit } from '../../client/spending-limit.js';
import { formatUsd, usdAmount } from '../../contract/callers/price-text.js';
import type { CheckView } from '../../contract/purchase.js';
import { exitCodes, Failure } from '../terminal/failure.js';

/**
 * Refuses a purchase, before it is made, that would cost what the options of the command do not allow.
 * @throws Failure with the option that would allow it
 */
export function assertWithinLimit(check: CheckView, limit: SpendingLimit): void {
  const excess = excessOf(check, limit);
  if (excess === null) return;
  const { why, next } = explain(check, limit)[excess];
  throw new Failure(`The report ${why}. Nothing was bought.`, { next, exitCode: exitCodes.refused });
}

type Explanation = { readonly why: string; readonly next: string };

function explain(
  { cost_credits: credits, price_usd_cents: usdCents = 0 }: CheckView,
  { maxCredits, maxUsdCents }: SpendingLimit,
): Readonly<Record<Excess, Explanation>> {
  const allowDollars = `Allow it with --max-usd ${usdAmount(usdCents)}, or pay with credits: --lane credits.`;
  return {
    credits_over_limit: {
      why: `costs ${credits} credits, more than --max-credits ${maxCredits}`,
      next: `Allow more with --max-credits ${credits}, or try later: the price follows the cost of runs.`,
    },
    credits_not_allowed: {
      why: `costs ${credits} credits, and no --max-credits allows credits beside --max-usd`,
      next: `Allow it with --max-credits ${credits}.`,
    },
    usd_over_limit: {
      why: `costs ${formatUsd(usdCents)}, more than --max-usd ${usdAmount(maxUsdCents ?? 0)}`,
      next: allowDollars,
    },
    usd_not_allowed: {
      why: `costs ${formatUsd(usdCents)}, billed to the subscription, and no --max-usd allows dollars`,
      next: allowDollars,
    },
  };
}
