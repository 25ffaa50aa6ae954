import { randomUUID } from 'node:crypto';
import {
  type Fulfilment,
  fulfilCheckout,
  openCheckout,
  recordPaymentState,
  saveCheckoutSession,
} from '../../../db/billing/checkouts.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { type PaymentState, packs } from '../../../purchase/billing.js';
import { later, noon, type TestWorld } from './test-world.js';

export interface TestCheckout {
  readonly accountId: string;
  readonly checkoutId: string;
  readonly sessionId: string;
  readonly paymentIntentId: string;
}

/** An unpaid checkout of 500 credits for 700 cents, with its session. */
export async function openedCheckout(world: TestWorld, account?: string): Promise<TestCheckout> {
  const accountId = account ?? (await world.openAccount());
  const checkoutId = randomUUID();
  const sessionId = `cs_${checkoutId}`;
  await openCheckout(world.db, { checkoutId, accountId, pack: packs.starter, now: noon });
  await saveCheckoutSession(world.db, checkoutId, sessionId);
  return { accountId, checkoutId, sessionId, paymentIntentId: `pi_${checkoutId}` };
}

/** A fulfilled checkout. */
export async function boughtCheckout(world: TestWorld, account?: string): Promise<TestCheckout> {
  const checkout = await openedCheckout(world, account);
  const outcome = await fulfil(world, checkout);
  if (outcome !== 'fulfilled') throw new Error(outcome);
  return checkout;
}

/** Handles the event of a paid session. */
export function fulfil(
  world: TestWorld,
  { sessionId, paymentIntentId }: TestCheckout,
  paid: { amountCents?: number; currency?: string; checkoutReference?: string } = {},
): Promise<Fulfilment> {
  const whole = {
    sessionId,
    paymentIntentId,
    amountCents: 700,
    currency: 'usd',
    checkoutReference: null,
    ...paid,
  };
  return fulfilCheckout(world.db, whole, noon);
}

/** Handles a new state of the payment. */
export function stand(
  world: TestWorld,
  { paymentIntentId }: TestCheckout,
  state: Partial<PaymentState>,
): Promise<void> {
  const whole = { refundedUsdCents: 0, disputed: false, ...state };
  return recordPaymentState(world.db, paymentIntentId, whole, later({ hours: 1 }));
}

/** Balance, credits taken back and owed, and the account's transfers except grants, oldest first. */
export async function booksOf(world: TestWorld, { accountId, checkoutId }: TestCheckout) {
  const [row] = await world.sql(
    'select taken_back_credits as taken, owed_credits as owed from checkouts where id = $1',
    [checkoutId],
  );
  const moves = await world.sql(
    `select kind, amount_credits as credits from ledger_transfers as transfer
     join ledger_entries as entry on entry.transfer_id = transfer.id
     join ledger_accounts as holder on holder.id = entry.ledger_account_id and holder.account_id = $1
     where kind <> 'grant' order by transfer.id`,
    [accountId],
  );
  return {
    balance: await balanceCredits(world.db, accountId, 'purchased'),
    ...row,
    moves: moves.map(({ kind, credits }) => `${kind} ${credits}`),
  };
}
