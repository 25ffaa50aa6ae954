import express, { type RequestHandler } from 'express';
import type { billingOperations } from '../../contract/billing.js';
import { isSuspended } from '../../db/accounts/accounts.js';
import { openCheckout, saveCheckoutSession } from '../../db/billing/checkouts.js';
import { findCustomer } from '../../db/billing/subscriptions.js';
import type { UnreadableEvent } from '../../payments/payment-gateway.js';
import { packs } from '../../purchase/billing.js';
import { bodyMaxBytes } from '../../purchase/limits.js';
import { accountSuspended } from '../../purchase/purchase.js';
import { followSubscription, processPaymentEvent, requirePayments } from '../billing/follow-payments.js';
import { customerOf, findLiveSubscription, readBillingStatus } from '../billing/subscriptions.js';
import type { ApiContext } from '../context.js';
import { publicPage } from '../http/addresses.js';
import { Problem } from '../http/problem.js';
import type { Handlers } from '../http/serve-operations.js';

type BillingHandlers = Handlers<Omit<typeof billingOperations, 'receivePaymentEvent'>>;

/**
 * Credit packs and the metered subscription. The subscription takes a session, as does the portal, in which it can be
 * cancelled: a leaked API key must not commit its account to a plan, nor end one.
 */
export function billingHandlers(context: ApiContext): BillingHandlers {
  return {
    getBillingStatus: ({ caller }) => readBillingStatus(context, caller.accountId),
    buyCredits: buyPack(context),
    subscribe: subscribe(context),
    unsubscribe: async ({ caller: { accountId } }) => {
      const payments = requirePayments(context);
      const live = await findLiveSubscription(context, payments, accountId);
      if (live === null) throw new Problem('not_found', 'This account has no subscription to cancel.');
      await payments.cancelSubscription(live.subscriptionId);
      await followSubscription(context, payments, live.subscriptionId);
      return readBillingStatus(context, accountId);
    },
    // A customer exists since the account's first subscription was requested.
    openBillingPortal: async ({ body: { return_url = publicPage(context, '/account') }, caller }) => {
      const payments = requirePayments(context);
      const customerId = await findCustomer(context.db, caller.accountId);
      if (customerId === null) throw new Problem('not_found', 'This account has never had a subscription.');
      return { url: await payments.createPortalSession({ customerId, returnUrl: return_url }) };
    },
  };
}

/** Refuses what needs payments before the request is parsed. */
export function paymentsConfigured(context: ApiContext): RequestHandler {
  return (_request, _response, next) => {
    requirePayments(context);
    next();
  };
}

/**
 * The checkout is stored before the Stripe session is created, so every session belongs to a known checkout.
 */
function buyPack(context: ApiContext): BillingHandlers['buyCredits'] {
  return async ({ body, caller: { accountId } }) => {
    const payments = requirePayments(context);
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
    return { checkout_id: checkoutId, session_id: session.sessionId, url: session.url };
  };
}

/** An account with a subscription gets its status, not a second subscription. */
function subscribe(context: ApiContext): BillingHandlers['subscribe'] {
  return async ({ body, caller: { accountId }, response }) => {
    const payments = requirePayments(context);
    const returnUrls = returnUrlsOf(context, body);
    if ((await findLiveSubscription(context, payments, accountId)) !== null)
      return readBillingStatus(context, accountId);
    if (await isSuspended(context.db, accountId)) throw Problem.of(accountSuspended);
    const customerId = await customerOf(context, payments, accountId);
    const session = await payments.createSubscriptionCheckout({ customerId, ...returnUrls });
    response.status(201);
    return { session_id: session.sessionId, url: session.url };
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
