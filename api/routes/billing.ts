import express, { type RequestHandler, Router } from 'express';
import { checkoutSchema, portalSchema, subscriptionSchema } from '../../contract/billing.js';
import { isSuspended } from '../../db/accounts/accounts.js';
import { openCheckout, saveCheckoutSession } from '../../db/billing/checkouts.js';
import { findCustomer } from '../../db/billing/subscriptions.js';
import type { UnreadableEvent } from '../../payments/payment-gateway.js';
import { packs } from '../../purchase/billing.js';
import { bodyMaxBytes } from '../../purchase/limits.js';
import { accountSuspended } from '../../purchase/purchase.js';
import { anyone, principalOf, sessionOnly } from '../auth/principal.js';
import { followSubscription, processPaymentEvent, requirePayments } from '../billing/follow-payments.js';
import { customerOf, findLiveSubscription, readBillingStatus } from '../billing/subscriptions.js';
import type { ApiContext } from '../context.js';
import { publicPage } from '../http/addresses.js';
import { parseBody } from '../http/parse.js';
import { Problem } from '../http/problem.js';

/**
 * `/api/billing`: credit packs and the metered subscription. The subscription takes a session, as does the portal, in
 * which it can be cancelled: a leaked API key must not commit its account to a plan, nor end one.
 * @param limitCheckouts limits how many checkouts an account opens
 */
export function billingRouter(context: ApiContext, limitCheckouts: RequestHandler): Router {
  return Router()
    .get('/status', anyone(context), status(context))
    .post('/checkout', anyone(context), limitCheckouts, buyPack(context))
    .post('/subscription', sessionOnly(context), subscribe(context))
    .delete('/subscription', sessionOnly(context), unsubscribe(context))
    .post('/portal', sessionOnly(context), openPortal(context));
}

function status(context: ApiContext): RequestHandler {
  return async (_request, response) => {
    response.json(await readBillingStatus(context, principalOf(response).accountId));
  };
}

/**
 * The checkout is stored before the Stripe session is created, so every session belongs to a known checkout.
 */
function buyPack(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const payments = requirePayments(context);
    const body = parseBody(checkoutSchema, request);
    const { accountId } = principalOf(response);
    const checkoutId = context.newId();
    const pack = packs[body.pack_id];
    const returnUrls = returnUrlsOf(context, body);
    const checkout = { checkoutId, accountId, pack, now: context.now() };
    if ((await openCheckout(context.db, checkout)) === 'suspended') throw Problem.of(accountSuspended);
    const customerId = await findCustomer(context.db, accountId);
    const session = await payments.createPackCheckout({
      checkoutId,
      accountId,
      pack,
      customerId,
      ...returnUrls,
    });
    await saveCheckoutSession(context.db, checkoutId, session.sessionId);
    response.status(201).json({ checkout_id: checkoutId, session_id: session.sessionId, url: session.url });
  };
}

/** An account with a subscription gets its status, not a second subscription. */
function subscribe(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const payments = requirePayments(context);
    const returnUrls = returnUrlsOf(context, parseBody(subscriptionSchema, request));
    const { accountId } = principalOf(response);
    if ((await findLiveSubscription(context, payments, accountId)) !== null) {
      response.json(await readBillingStatus(context, accountId));
      return;
    }
    if (await isSuspended(context.db, accountId)) throw Problem.of(accountSuspended);
    const customerId = await customerOf(context, payments, accountId);
    const session = await payments.createSubscriptionCheckout({ customerId, ...returnUrls });
    response.status(201).json({ session_id: session.sessionId, url: session.url });
  };
}

function unsubscribe(context: ApiContext): RequestHandler {
  return async (_request, response) => {
    const payments = requirePayments(context);
    const { accountId } = principalOf(response);
    const live = await findLiveSubscription(context, payments, accountId);
    if (live === null) throw new Problem('not_found', 'This account has no subscription to cancel.');
    await payments.cancelSubscription(live.subscriptionId);
    await followSubscription(context, payments, live.subscriptionId);
    response.json(await readBillingStatus(context, accountId));
  };
}

/** A customer exists since the account's first subscription was requested. */
function openPortal(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const payments = requirePayments(context);
    const { return_url = publicPage(context, '/account') } = parseBody(portalSchema, request);
    const customerId = await findCustomer(context.db, principalOf(response).accountId);
    if (customerId === null) throw new Problem('not_found', 'This account has never had a subscription.');
    const url = await payments.createPortalSession({ customerId, returnUrl: return_url });
    response.status(201).json({ url });
  };
}

/**
 * Default: pages of this service. Callers may name any web address, as with Stripe itself: those with an API key have
 * pages of their own, and only the holder of a credential can open a checkout.
 */
function returnUrlsOf(
  context: ApiContext,
  body: { success_url?: string | undefined; cancel_url?: string | undefined },
): { successUrl: string; cancelUrl: string } {
  return {
    successUrl: body.success_url ?? publicPage(context, '/?checkout=success'),
    cancelUrl: body.cancel_url ?? publicPage(context, '/?checkout=cancelled'),
  };
}

/**
 * `POST /api/billing/webhook`: events of Stripe. The signature covers the raw bytes, so this route reads its
 * own body. A 2xx response marks the event as processed; otherwise Stripe resends it for three days.
 */
export function billingWebhookRoute(context: ApiContext): RequestHandler[] {
  return [
    express.raw({ type: () => true, limit: bodyMaxBytes }),
    async (request, response) => {
      const payments = requirePayments(context);
      const body: unknown = request.body;
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const event = payments.readEvent(bytes, request.get('stripe-signature') ?? '', context.now());
      if (event === null) throw invalidSignature();
      if (event !== 'ignored' && event.kind === 'unreadable') throw unreadableEvent(context, event);
      if (event !== 'ignored') await processPaymentEvent(context, payments, event);
      response.json({ received: true });
    },
  ];
}

/**
 * Stripe resends the event and shows it as failed, and the log names it: this service does not understand an event that
 * concerns it, so an operator has to compare the API versions.
 */
function unreadableEvent({ log }: ApiContext, { type, id, fields }: UnreadableEvent): Problem {
  log.error({ eventType: type, eventId: id, fields }, 'a signed event of Stripe cannot be read');
  const detail = 'is missing or not valid';
  return new Problem('invalid_request', `The event cannot be read: ${fields.join(', ') || 'no event'}.`, {
    errors: fields.map(field => ({
      pointer: ['#', ...field.split('.').filter(part => part !== '')].join('/'),
      detail,
    })),
  });
}

function invalidSignature(): Problem {
  const detail = 'does not match the body, or its time is more than five minutes from now';
  return new Problem('invalid_request', `Stripe-Signature: ${detail}`, {
    errors: [{ parameter: 'Stripe-Signature', detail }],
  });
}
