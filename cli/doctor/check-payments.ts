import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, warning } from './finding.js';

/** Whether credits can be bought. Nothing is asked of Stripe. */
export function checkPayments({ settings }: DoctorWorld): readonly Finding[] {
  const unset = (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const).filter(
    name => settings[name] === undefined,
  );
  if (unset.length === 0)
    return [ok('payments', 'set up; Stripe sends its webhooks to /api/billing/webhook')];
  return [
    warning(
      'payments',
      `not set up: buying answers 503, and everything else works`,
      `To sell credits, set ${unset.join(' and ')}.`,
    ),
  ];
}
