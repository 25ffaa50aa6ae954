import { isDeepStrictEqual } from 'node:util';
import {
  type Fulfilment,
  fulfilCheckout,
  isKnownPayment,
  recordPaymentState,
  saveSessionPayment,
} from '../db/billing/checkouts.js';
import { type OpenedAlert, recordAlerts } from '../db/billing/payment-findings.js';
import type { Db } from '../db/database.js';
import type { ChangedPayment, PaidCheckout, PaymentAlert, ProviderPayment } from '../purchase/billing.js';
import { type PaymentGateway, PaymentsUnavailable } from './payment-gateway.js';

/** Follows payments: the webhook and the maintenance duty do the same with what Stripe says. */
export interface FollowContext {
  readonly db: Db;
  readonly now: () => Date;
  readonly log: Record<'warn' | 'error', (fields: object, message: string) => void>;
}

/** Fulfils a paid checkout, once. A payment that cannot be credited is stored as a finding for an operator. */
export async function fulfilPaid({ db, now, log }: FollowContext, paid: PaidCheckout): Promise<Fulfilment> {
  const { sessionId, amountCents, currency, checkoutReference } = paid;
  const outcome = await fulfilCheckout(db, paid, now());
  switch (outcome) {
    case 'wrong_amount':
      log.error({ sessionId, amountCents, currency }, 'checkout paid with a wrong amount');
      break;
    case 'unknown_session':
      log.error({ sessionId, checkoutReference }, 'payment for a checkout that does not have this session');
      break;
    case 'foreign':
      log.warn({ sessionId }, 'payment that this service did not request');
      break;
    case 'fulfilled':
    case 'fulfilled_before':
  }
  return outcome;
}

/**
 * Updates the stored refunds and disputes of a payment to their present state at Stripe. A dispute of a pack takes its
 * credits back; one of an invoice becomes a finding, which stops the subscription of its account, and so does a warning
 * of fraud about either.
 * @returns the disputes and warnings that were not known before
 */
export async function followPayment(
  { db, now, log }: FollowContext,
  payments: Pick<PaymentGateway, 'findSession' | 'readPaymentState'>,
  { paymentIntentId, warningId }: ChangedPayment,
): Promise<readonly OpenedAlert[]> {
  const isPack = await isPackPayment(db, payments, paymentIntentId);
  const opened: OpenedAlert[] = [];
  await syncUntilStable(
    () => payments.readPaymentState(paymentIntentId),
    async state => {
      if (isPack) await recordPaymentState(db, paymentIntentId, state, now());
      const alerts = [...(isPack ? [] : disputesOf(state)), ...warningsOf(state, warningId)];
      const { customerId } = state;
      opened.push(...(await recordAlerts(db, { paymentIntentId, customerId, alerts }, now())));
    },
  );
  for (const { kind, id, accountId } of opened) {
    log.error(
      { kind, id, accountId, paymentIntentId },
      'a bank objects to a payment; its subscription is stopped',
    );
  }
  return opened;
}

async function isPackPayment(
  db: Db,
  payments: Pick<PaymentGateway, 'findSession'>,
  paymentIntentId: string,
): Promise<boolean> {
  if (await isKnownPayment(db, paymentIntentId)) return true;
  const sessionId = await payments.findSession(paymentIntentId);
  return sessionId !== null && saveSessionPayment(db, sessionId, paymentIntentId);
}

function disputesOf({ disputes }: ProviderPayment): PaymentAlert[] {
  return disputes.map(dispute => ({ kind: 'invoice_disputed', ...dispute }));
}

/** Only a person can say what a warning means for the account: it stays open until it is settled. */
function warningsOf({ paidCents, currency }: ProviderPayment, warningId: string | undefined): PaymentAlert[] {
  if (warningId === undefined) return [];
  return [{ kind: 'fraud_warning', id: warningId, cents: paidCents, currency, isOpen: true }];
}

const roundsMax = 5;

/**
 * Stores the state at Stripe and reads it again, until the stored state is still current. Two concurrent
 * calls cannot leave an outdated state behind, because each one verifies its own write.
 * @throws PaymentsUnavailable if the state keeps changing
 */
export async function syncUntilStable<State>(
  read: () => Promise<State>,
  write: (state: State) => Promise<void>,
): Promise<void> {
  let state = await read();
  for (let round = 0; round < roundsMax; round += 1) {
    await write(state);
    const current = await read();
    if (isDeepStrictEqual(current, state)) return;
    state = current;
  }
  throw new PaymentsUnavailable('the state at Stripe keeps changing', { retryable: true });
}
