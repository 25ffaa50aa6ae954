import type { BalanceView, LedgerEntryView, PackView } from '../../contract/credits.js';
import type { PricingView, ReceiptView } from '../../contract/purchase.js';
import { nextMonday } from '../../council/calendar.js';
import type { StatementLine } from '../../db/ledger/ledger.js';
import type { Pack } from '../../purchase/billing.js';
import { billedUsdCents } from '../../purchase/decide-purchase.js';
import { byokCredits } from '../../purchase/limits.js';
import type { Lane, Receipt } from '../../purchase/purchase.js';
import { cachedCredits, type Quote } from '../../purchase/quote.js';

/** The current prices in credits. The costs behind them are not public. */
export function presentPricing(quote: Quote): PricingView {
  return {
    fresh_credits: quote.freshCredits,
    cached_credits: cachedCredits(quote.freshCredits),
    byok_credits: byokCredits,
  };
}

export function presentPack(pack: Pack): PackView {
  return { id: pack.id, credits: pack.credits, price_usd_cents: pack.priceUsdCents };
}

export function presentReceipt(receipt: Receipt): ReceiptView {
  return {
    report_id: receipt.reportId,
    status: receipt.status,
    cached: receipt.kind === 'cached',
    credits_spent: receipt.creditsSpent,
    ...presentDollars(receipt),
    lane: receipt.lane,
    pool: receipt.pool,
  };
}

/** The price in dollars, on the lane that bills dollars. An owned report is billed no more. */
export function presentDollars({ kind, lane }: { kind: Receipt['kind']; lane: Lane }): {
  price_usd_cents?: number;
} {
  if (lane !== 'subscription') return {};
  return { price_usd_cents: kind === 'owned' ? 0 : billedUsdCents({ kind, lane }) };
}

export function presentBalance(balance: {
  quote: Quote;
  purchasedCredits: number;
  owedCredits: number;
  grantAvailable: boolean;
  needsVerifiedEmail: boolean;
  now: Date;
}): BalanceView {
  return {
    balance_credits: balance.purchasedCredits,
    owed_credits: balance.owedCredits,
    weekly_grant: {
      available: balance.grantAvailable && balance.owedCredits === 0 && !balance.needsVerifiedEmail,
      needs_verified_email: balance.needsVerifiedEmail,
      worth_credits: balance.quote.freshCredits,
      resets_at: nextMonday(balance.now).toISOString(),
    },
  };
}

export function presentLedgerEntry(line: StatementLine): LedgerEntryView {
  return { ...line, at: line.at.toISOString() };
}
