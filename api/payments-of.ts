import type { PaymentGateway } from '../payments/payment-gateway.js';
import type { ApiContext } from './context.js';
import { Problem } from './problem.js';

/** Payments are set up by a person, so asking again soon is of no use. */
const askAgainSeconds = 3_600;

/** @throws Problem `payments_not_configured` where nothing can be bought. */
export function paymentsOf({ payments }: Pick<ApiContext, 'payments'>): PaymentGateway {
  if (payments !== null) return payments;
  throw new Problem('payments_not_configured', 'Nothing can be bought here: payments are not set up.', {
    retryAfterSeconds: askAgainSeconds,
  });
}
