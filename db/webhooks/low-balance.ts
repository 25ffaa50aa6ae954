import { sql } from 'kysely';
import type { PurchaseDecision, PurchaseSituation } from '../../purchase/decide-purchase.js';
import { lowBalanceAfter } from '../../purchase/webhooks.js';
import type { Tx } from '../database.js';
import { announce } from './outbox.js';

/**
 * Tells the endpoints of an account that a charge takes its purchased credits below the price of a fresh report. Only
 * that charge costs a statement.
 * @param decided the purchase, and what it was decided on
 */
export async function announceLowBalance(
  tx: Tx,
  { accountId }: { readonly accountId: string },
  decided: { readonly decision: PurchaseDecision; readonly situation: PurchaseSituation; readonly now: Date },
): Promise<void> {
  const { decision, situation, now } = decided;
  if (decision.decided !== 'sell') return;
  const balanceCredits = lowBalanceAfter(decision.sale, situation);
  if (balanceCredits === null) return;
  const data = { balance_credits: balanceCredits, fresh_credits: situation.quote.freshCredits };
  const to = sql`select ${accountId}::uuid as account_id, ${JSON.stringify(data)}::json as data`;
  await announce(tx, { type: 'balance.low', to, now });
}
