import { PaymentsUnavailable } from '../../payments/payment-gateway.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import type { DoctorContext } from './doctor-context.js';
import { firstOf, ok, problem, type Result, type Row, warning } from './finding.js';

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
    const { status } = error;
    const { host } = new URL(settings.STRIPE_API_BASE ?? 'https://api.stripe.com');
    const silence = `no answer from ${host}: credits cannot be bought, and usage is not billed`;
    const forbidden = 'STRIPE_SECRET_KEY may not read checkout sessions (HTTP 403)';
    const rows: readonly Row[] = [
      [status === null, problem(silence, checkNetwork)],
      [status === 401, problem('Stripe does not accept STRIPE_SECRET_KEY (HTTP 401)', replaceKey)],
      [status === 403, problem(forbidden, givePermissions)],
    ];
    return firstOf(rows, problem(`Stripe answers with HTTP ${status}`, tryLater));
  }
}

const checkNetwork = 'Check the network, and STRIPE_API_BASE if it is set.';
const replaceKey =
  'It is incomplete, revoked or expired. Set it to a key of the dashboard (Developers, API keys), and restart API and workers.';
const givePermissions = 'Give the restricted key the permissions of payments/README.md, or use a secret key.';
const tryLater = 'Try later; https://status.stripe.com shows outages.';
