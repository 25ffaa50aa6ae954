import { type Request, type RequestHandler, Router } from 'express';
import { checkoutSchema, subscriptionSchema } from '../../contract/billing.js';
import { isLive, packs, type SubscriptionState } from '../../council/purchase/billing.js';
import { noteCheckoutSession, openCheckout } from '../../db/billing/checkouts.js';
import { findCustomer, findSubscription, noteCustomer } from '../../db/billing/subscriptions.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { anyone, principalOf } from '../auth/principal.js';
import { billingStatus } from '../billing/billing-status.js';
import { followSubscription, paymentsOf } from '../billing/follow-payments.js';
import type { ApiContext } from '../context.js';
import { ownOrigin } from '../http/addresses.js';
import { parseBody } from '../http/parse.js';
import { Problem } from '../http/problem.js';

/** `/api/billing`: buying credits, and the metered subscription. The webhook is apart, for it reads its own body. */
export function billingRouter(context: ApiContext): Router {
  return Router()
    .get('/status', anyone(context), status(context))
    .post('/checkout', anyone(context), buyPack(context))
    .post('/subscription', anyone(context), subscribe(context))
    .delete('/subscription', anyone(context), unsubscribe(context));
}

function status(context: ApiContext): RequestHandler {
  return async (_request, response) => {
    response.json(await billingStatus(context, principalOf(response).accountId));
  };
}

/** Our row is written first: no session exists that we would not know what it was for. */
function buyPack(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const payments = paymentsOf(context);
    const body = parseBody(checkoutSchema, request);
    const { accountId } = principalOf(response);
    const checkoutId = context.newId();
    const pack = packs[body.pack_id];
    const back = waysBackOf(request, body);
    await openCheckout(context.db, { checkoutId, accountId, pack, now: context.now() });
    const customerId = await findCustomer(context.db, accountId);
    const session = await payments.createPackCheckout({ checkoutId, accountId, pack, customerId, ...back });
    await noteCheckoutSession(context.db, checkoutId, session.sessionId);
    response.status(201).json({ checkout_id: checkoutId, session_id: session.sessionId, url: session.url });
  };
}

/** Who has a subscription gets it told, not a second one. */
function subscribe(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const payments = paymentsOf(context);
    const back = waysBackOf(request, parseBody(subscriptionSchema, request));
    const { accountId } = principalOf(response);
    if ((await liveSubscription(context, payments, accountId)) !== null) {
      response.json(await billingStatus(context, accountId));
      return;
    }
    const customerId = await customerOf(context, payments, accountId);
    const session = await payments.createSubscriptionCheckout({ customerId, ...back });
    response.status(201).json({ session_id: session.sessionId, url: session.url });
  };
}

function unsubscribe(context: ApiContext): RequestHandler {
  return async (_request, response) => {
    const payments = paymentsOf(context);
    const { accountId } = principalOf(response);
    const live = await liveSubscription(context, payments, accountId);
    if (live === null) throw new Problem('not_found', 'There is no subscription to cancel.');
    await payments.cancelSubscription(live.subscriptionId);
    await followSubscription(context, payments, live.subscriptionId);
    response.json(await billingStatus(context, accountId));
  };
}

/** As Stripe says now: an event that says otherwise may be still on its way. */
async function liveSubscription(
  context: ApiContext,
  payments: PaymentGateway,
  accountId: string,
): Promise<SubscriptionState | null> {
  const noted = await findSubscription(context.db, accountId);
  if (noted === null || !isLive(noted)) return null;
  await followSubscription(context, payments, noted.subscriptionId);
  const now = await findSubscription(context.db, accountId);
  return now !== null && isLive(now) ? now : null;
}

async function customerOf(context: ApiContext, payments: PaymentGateway, accountId: string): Promise<string> {
  const known = await findCustomer(context.db, accountId);
  if (known !== null) return known;
  const customerId = await payments.createCustomer(accountId);
  return noteCustomer(context.db, { accountId, customerId, now: context.now() });
}

/** To the page that the request came to, unless it says otherwise. */
function waysBackOf(
  request: Request,
  body: { success_url?: string | undefined; cancel_url?: string | undefined },
): { successUrl: string; cancelUrl: string } {
  return {
    successUrl: body.success_url ?? `${ownOrigin(request)}/?checkout=success`,
    cancelUrl: body.cancel_url ?? `${ownOrigin(request)}/?checkout=cancelled`,
  };
}
