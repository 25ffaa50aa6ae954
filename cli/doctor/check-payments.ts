import { PaymentsUnavailable } from '../../payments/payment-gateway.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import type { DoctorContext } from './doctor-context.js';
import { ok, problem, type Result, warning } from './finding.js';

/** Whether credits can be bought: asks Stripe with the gateway that API and workers use. Changes nothing there. */
export async function checkPayments({ settings }: DoctorContext): Promise<Result> {
  const gateway = createPaymentGateway(settings);
  if (gateway === null) {
    const names = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
    const unset = names.filter(name => settings[name] === undefined).join(' and ');
    return warning(
      'not set up: purchases of credits answer 503; everything else works',
      `To sell credits, set ${unset}.`,
    );
  }
  try {
    await gateway.checkAccess();
    return ok('Stripe accepts the key; it sends its webhooks to /api/billing/webhook');
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    return assessFailure(error.status, new URL(settings.STRIPE_API_BASE ?? 'https://api.stripe.com').host);
  }
}

/** @param status that of Stripe's answer; null for none */
function assessFailure(status: number | null, host: string): Result {
  switch (status) {
    case null:
      return problem(
        `no answer from ${host}: credits cannot be bought, and usage is not billed`,
        'Check the network, and STRIPE_API_BASE if it is set.',
      );
    case 401:
      return problem(
        'Stripe does not accept STRIPE_SECRET_KEY (HTTP 401)',
        'It is incomplete, revoked or expired. Set it to a key of the dashboard (Developers, API keys), and restart API and workers.',
      );
    case 403:
      return problem(
        'STRIPE_SECRET_KEY may not read checkout sessions (HTTP 403)',
        'Give the restricted key the permissions of payments/README.md, or use a secret key.',
      );
    default:
      return problem(
        `Stripe answers with HTTP ${status}`,
        'Try later; https://status.stripe.com shows outages.',
      );
  }
}
