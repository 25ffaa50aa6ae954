import { createTryDelivery, type DeliveryDependencies } from './try-delivery.js';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** The activities of the workflow `webhookDelivery`. */
export function createWebhookActivities(deps: DeliveryDependencies) {
  return { tryDelivery: createTryDelivery(deps) };
}
