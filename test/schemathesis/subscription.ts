import { type StripeStandIn, secretKey, webhookSecret } from '../support/stripe/stripe-stand-in.js';

/** The settings that point a service to the stand-in. */
export function stripeSettings({ url }: StripeStandIn): Record<string, string> {
  return {
    STRIPE_API_BASE: url,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  };
}

/** The account subscribes and pays, and the service receives the event. */
export async function takeOutSubscription(
  stripe: StripeStandIn,
  url: string,
  who: Readonly<Record<string, string>>,
): Promise<void> {
  const opened = await fetch(`${url}/api/billing/subscription`, { method: 'POST', headers: who });
  const { session_id }: any = await opened.json();
  const [from, to] = [new Date('2000-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
  const event = stripe.event(
    'customer.subscription.created',
    stripe.books.subscribe(session_id, { from, to }),
  );
  const delivered = await fetch(`${url}/api/billing/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': event.signature },
    body: event.body,
  });
  if (!delivered.ok) throw new Error(`the event of a subscription returned ${delivered.status}`);
}
