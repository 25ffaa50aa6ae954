import { expect } from '@jest/globals';
import { reconcile } from '../../db/support/reconcile.js';
import { expectConforming } from '../expect/expect-conforming.js';
import type { Subscription } from '../stripe/stripe-objects.js';
import { type SignedEvent, type StripeStandIn, startStripeStandIn } from '../stripe/stripe-stand-in.js';
import type { Answer, TestCaller } from './test-caller.js';
import { startTestService, type TestService, type TestServiceOptions } from './test-service.js';

/** The service with a stand-in for Stripe, and the steps between them and a customer. */
export interface TestBilling {
  readonly stripe: StripeStandIn;
  readonly service: TestService;
  /** Delivers an event to the webhook as Stripe would. */
  deliver(event: SignedEvent): Promise<Answer>;
  /** Delivers a new event, and expects that it is accepted. */
  deliverNew(type: string, object: unknown): Promise<void>;
  /** Opens a checkout. */
  checkout(
    caller: TestCaller,
    packId?: string,
  ): Promise<{ checkout_id: string; session_id: string; url: string }>;
  /** Buys a pack: 500 credits for 700 cents. */
  buyPack(caller: TestCaller): Promise<Bought>;
  /** A subscription that was begun at Stripe, and heard of. */
  subscribed(caller: TestCaller, period: { from: Date; to: Date }): Promise<Subscription>;
  /** Ends all faults of Stripe. */
  clearFaults(): void;
  /** Checks the ledger and stops everything. */
  stop(): Promise<void>;
}

interface Bought {
  readonly session: ReturnType<StripeStandIn['books']['pay']>;
  readonly payment: ReturnType<StripeStandIn['books']['payment']>;
}

export async function startTestBilling(
  options: Pick<TestServiceOptions, 'log' | 'mailer' | 'pages' | 'requestTimes'> = {},
): Promise<TestBilling> {
  const stripe = await startStripeStandIn();
  const service = await startTestService({ ...options, worker: false, payments: stripe.gateway() });
  const billing: TestBilling = {
    stripe,
    service,
    deliver: event => deliverTo(service.url, event),
    deliverNew: async (type, object) => {
      const answer = await billing.deliver(stripe.event(type, object));
      expect(answer).toMatchObject({ status: 200, body: { received: true } });
    },
    checkout: async (caller, packId = 'starter') => {
      const { status, body } = await caller.post('/api/billing/checkout', { pack_id: packId });
      expect(status).toBe(201);
      return body;
    },
    buyPack: async caller => {
      const { session_id } = await billing.checkout(caller);
      const session = stripe.books.pay(session_id);
      await billing.deliverNew('checkout.session.completed', session);
      return { session, payment: stripe.books.payment(session.payment_intent) };
    },
    subscribed: async (caller, period) => {
      const { session_id } = (await caller.post('/api/billing/subscription', {}, { as: 'session' })).body;
      const subscription = stripe.books.subscribe(session_id, period);
      await billing.deliverNew('checkout.session.completed', stripe.books.sessions.get(session_id));
      return subscription;
    },
    clearFaults: () => {
      stripe.fault = null;
      stripe.before = () => undefined;
    },
    stop: async () => {
      const faults = await reconcile(service.database.db);
      await service.stop();
      await stripe.close();
      expect(faults).toEqual([]);
    },
  };
  return billing;
}

/** Delivers an event to the webhook of the service at `url`. */
export async function deliverTo(url: string, { body, signature }: SignedEvent): Promise<Answer> {
  const response = await fetch(`${url}/api/billing/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body,
  });
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  expectConforming({ method: 'POST', path: '/api/billing/webhook' }, answer);
  return answer;
}
