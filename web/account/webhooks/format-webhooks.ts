import type { WebhookDeliveryView, WebhookView } from '../../../contract/webhooks.js';
import { minute } from '../../shared/format.js';

/** The types that a person can choose, each as an occasion. A test is sent to every webhook, and needs no choice. */
export const offeredTypes = {
  'report.completed': 'a report is completed',
  'report.failed': 'a report fails',
  'report.graded': 'a report is graded',
  'balance.low': 'your credits no longer pay for a fresh report',
} as const satisfies Partial<Record<WebhookView['types'][number], string>>;

const reasons: Readonly<Record<NonNullable<WebhookView['disabled_reason']>, string>> = {
  asked: 'Disabled. Nothing is sent.',
  gone: 'Disabled, because the address answered that it is gone (410).',
  failing: 'Disabled, because a delivery failed at its last try.',
};

/** Whether something is sent, and when something last arrived, as one line. */
export function stateText({ disabled_reason: reason, last_delivery_at: last }: WebhookView): string {
  const state = reason === null ? 'Active.' : reasons[reason];
  return `${state} ${last === null ? 'Nothing was delivered yet.' : `Last delivery on ${minute(last)}.`}`;
}

/** What became of a delivery, as one line. */
export function outcomeText({ status, next_attempt_at: next, attempts }: WebhookDeliveryView): string {
  const tries = attempts.length === 1 ? 'one try' : `${attempts.length} tries`;
  if (status === 'delivered') return `delivered after ${tries}`;
  if (status === 'failed') return `failed after ${tries}`;
  if (attempts.length === 0) return 'being sent';
  return next === null ? `${tries} so far` : `${tries} so far, next on ${minute(next)}`;
}
