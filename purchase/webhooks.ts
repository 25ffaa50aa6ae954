/** What an account can be sent, in the order of the reference. Closed: each has its own data. */
export const webhookTypes = [
  'report.completed',
  'report.failed',
  'report.graded',
  'batch.paused',
  'batch.completed',
  'balance.low',
  'webhook.test',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Why an endpoint is sent nothing. `asked`: by its owner; `gone`: it answered 410; `failing`: a delivery had its last try. */
export const webhookDisabledReasons = ['asked', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
