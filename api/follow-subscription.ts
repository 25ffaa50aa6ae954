import type { SubscriptionState } from '../council/payment.js';
import { noteSubscription } from '../db/subscriptions.js';
import type { PaymentGateway } from '../payments/payment-gateway.js';
import type { ApiContext } from './context.js';
import { untilSettled } from './until-settled.js';

type Context = Pick<ApiContext, 'db' | 'now' | 'log'>;

/** Brings what is noted of a subscription up to what Stripe says of it now, whatever an event claimed. */
export async function followSubscription(
  context: Context,
  payments: PaymentGateway,
  subscriptionId: string,
): Promise<void> {
  await untilSettled(
    () => payments.readSubscription(subscriptionId),
    async state => {
      if (state !== null) await note(context, payments, state);
    },
  );
}

/** Usage is billed by customer, so a second live subscription would bill it twice: the one that came second is ended. */
async function note(context: Context, payments: PaymentGateway, state: SubscriptionState): Promise<void> {
  const { db, now, log } = context;
  const noted = await noteSubscription(db, state, now());
  if (noted.outcome !== 'another_is_live') return;
  const other = await payments.readSubscription(noted.subscriptionId);
  if (other !== null) await noteSubscription(db, other, now());
  const again = await noteSubscription(db, state, now());
  if (again.outcome !== 'another_is_live') return;
  log.warn(
    { subscriptionId: state.subscriptionId, kept: noted.subscriptionId },
    'a second subscription is ended',
  );
  await payments.endSubscription(state.subscriptionId);
}
