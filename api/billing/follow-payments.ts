import { recordText } from '../../contract/report-text/record-text.js';
import { findAccount } from '../../db/accounts/accounts.js';
import { saveSubscription } from '../../db/billing/subscriptions.js';
import { markUsagePaid } from '../../db/billing/usage.js';
import { followPayment, fulfilPaid, syncUntilStable } from '../../payments/follow-payment.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import type { PaymentEvent, SubscriptionState } from '../../purchase/billing.js';
import type { ApiContext } from '../context.js';
import { publicPage } from '../http/addresses.js';
import { Problem } from '../http/problem.js';

type Context = Pick<ApiContext, 'db' | 'now' | 'log'>;

/**
 * Processes an event of Stripe. Except for what was paid, an event only triggers a read of the present state from
 * Stripe, so repeated and reordered events do no harm.
 */
export async function processPaymentEvent(
  context: Context & Pick<ApiContext, 'mailer' | 'publicUrl' | 'recordHead'>,
  payments: PaymentGateway,
  event: PaymentEvent,
): Promise<void> {
  switch (event.kind) {
    case 'checkout_paid':
      await fulfilPaid(context, event);
      return;
    case 'invoice_paid':
      return markUsagePaid(context.db, event, context.now());
    case 'payment_changed':
      for (const { kind, accountId } of await followPayment(context, payments, event)) {
        // No mail about a warning: a person who uses a stolen card would know of it.
        if (kind === 'invoice_disputed') await tellPayer(context, accountId);
      }
      return;
    case 'subscription_changed':
      return followSubscription(context, payments, event.subscriptionId);
  }
}

async function tellPayer(
  context: Pick<ApiContext, 'db' | 'mailer' | 'publicUrl' | 'recordHead'>,
  accountId: string,
): Promise<void> {
  const to = (await findAccount(context.db, accountId))?.email ?? null;
  if (to === null) return;
  const head = await context.recordHead();
  context.mailer.send({
    kind: 'payment_disputed',
    to,
    link: publicPage(context, '/account'),
    ...(head === null ? {} : { foot: recordText(head) }),
  });
}

/** Updates the stored subscription to its present state at Stripe. */
export async function followSubscription(
  context: Context,
  payments: PaymentGateway,
  subscriptionId: string,
): Promise<void> {
  await syncUntilStable(
    () => payments.readSubscription(subscriptionId),
    async state => {
      if (state !== null) await storeSubscription(context, payments, state);
    },
  );
}

/** Usage is billed by customer, so a second live subscription would bill it twice. The later one is ended. */
async function storeSubscription(
  { db, now, log }: Context,
  payments: PaymentGateway,
  state: SubscriptionState,
): Promise<void> {
  const stored = await saveSubscription(db, state, now());
  if (stored.outcome !== 'another_is_live') return;
  const other = await payments.readSubscription(stored.subscriptionId);
  if (other !== null) await saveSubscription(db, other, now());
  const retried = await saveSubscription(db, state, now());
  if (retried.outcome !== 'another_is_live') return;
  const { subscriptionId } = state;
  log.warn({ subscriptionId, kept: stored.subscriptionId }, 'ending a second live subscription');
  await payments.endSubscription(subscriptionId);
}

/** Payments are set up by an operator, so an early retry is useless. */
const retryAfterSeconds = 3_600;

/** @throws Problem `payments_not_configured` */
export function requirePayments({ payments }: Pick<ApiContext, 'payments'>): PaymentGateway {
  if (payments !== null) return payments;
  throw new Problem('payments_not_configured', 'Payments are not configured on this service.', {
    retryAfterSeconds,
  });
}
