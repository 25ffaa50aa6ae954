import type { CheckView, ReceiptView } from '../purchase.js';

/** Prices and charges, shared by the command line, the MCP tools and the page. */

/** Whether the report exists already and is sold at half price, without a new run. */
export function isCached(check: CheckView): boolean {
  return check.has_cached_report && !check.already_purchased;
}

/** What a report would cost, as the end of a sentence: "120 credits". */
export function describePrice(check: CheckView): string {
  if (check.already_purchased) return 'nothing: the account owns this report already';
  return describeAmount(check.price_usd_cents, check.cost_credits, check.pool);
}

/** What a purchase has cost, as the end of a sentence. */
export function describeCharge(receipt: ReceiptView): string {
  if (isOwned(receipt)) return 'nothing: the account owned this report already';
  return describeAmount(receipt.price_usd_cents, receipt.credits_spent, receipt.pool);
}

/** Whether the account already had the report, so that the purchase took nothing. Every other report has a price. */
export function isOwned({ credits_spent: credits, price_usd_cents: usdCents = 0 }: ReceiptView): boolean {
  return credits === 0 && usdCents === 0;
}

/** What becomes of the charge of a failed run. A subscription is billed for completed reports only. */
export function describeRefund({ pool }: Pick<ReceiptView, 'pool'>): string {
  switch (pool) {
    case null:
      return 'Nothing is billed.';
    case 'weekly_grant':
      return 'Your free report of the week was given back.';
    case 'purchased':
      return 'Your credits were refunded.';
  }
}

function describeAmount(usdCents: number | undefined, credits: number, pool: CheckView['pool']): string {
  if (usdCents !== undefined) return `${formatUsd(usdCents)}, billed to the subscription`;
  if (pool === 'weekly_grant') return `nothing but this week’s free report (worth ${credits} credits)`;
  return `${credits} credits`;
}

/** "3.00 USD" */
export function formatUsd(cents: number): string {
  return `${usdAmount(cents)} USD`;
}

/** "3.00", as it is typed for a limit */
export function usdAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}
