import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities.js';
import { deliveryWorkflow, type WebhookDeliveryInput } from '../purchase/webhooks.js';
import { webhookTry } from './activity-options.js';
import { autoUpgrade } from './regrade.js';

/** Wakes a delivery that waits for its next try: the database has another time for it. */
const tryNow = defineSignal(deliveryWorkflow.wake);

setWorkflowOptions(autoUpgrade, webhookDelivery);

/**
 * One delivery of a webhook: try, wait, try. The database decides whether a try is due and when the next one is, so that a
 * delivery may be woken, started twice or started again after it was lost, and is never tried too early.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<void> {
  const { tryDelivery } = proxyActivities<WebhookActivities>({
    ...webhookTry,
    taskQueue: input.taskQueue,
    summary: 'try',
  });
  let isWoken = false;
  setHandler(tryNow, () => void (isWoken = true), {
    description: 'Tries as soon as the database allows it.',
  });
  for (;;) {
    isWoken = false;
    const next = await tryDelivery(input.deliveryId);
    if (next === null && !isWoken) return;
    if (next !== null) await condition(() => isWoken, Math.max(1, Math.ceil(next.waitMs)));
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookDelivery>(input);
  }
}
