import type { Response } from 'express';
import type { WebhookDeliveryView, webhookOperations } from '../../contract/webhooks.js';
import { insertTest, listDeliveries, redeliver, type WebhookDelivery } from '../../db/webhooks/deliveries.js';
import { type EndpointName, findEndpoint, type WebhookEndpoint } from '../../db/webhooks/endpoints.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import type { Handlers } from '../http/serve-operations.js';

type DeliveryOperations = Pick<
  typeof webhookOperations,
  'testWebhook' | 'listWebhookDeliveries' | 'repeatWebhookDelivery'
>;

/** What is sent to a webhook, and what its owner has sent to it. */
export function deliveryHandlers(context: ApiContext): Handlers<DeliveryOperations> {
  const { db, now } = context;
  return {
    testWebhook: async ({ parameters: { id }, caller: { accountId }, response }) => {
      await requireActive(context, { accountId, id });
      const deliveryId = await insertTest(db, { accountId, id }, now());
      if (deliveryId === null) throw noWebhook();
      return startedDelivery(response, deliveryId);
    },
    listWebhookDeliveries: async ({ parameters: { id }, query, caller: { accountId } }) => {
      await requireEndpoint(context, { accountId, id });
      const { page, per_page } = query;
      const { rows, total } = await listDeliveries(db, id, { page, perPage: per_page });
      return { deliveries: rows.map(presentDelivery), page, per_page, total };
    },
    repeatWebhookDelivery: async ({ parameters: { id, delivery_id }, caller: { accountId }, response }) => {
      await requireActive(context, { accountId, id });
      if (await redeliver(db, { accountId, id }, delivery_id, now()))
        return startedDelivery(response, delivery_id);
      throw new Problem('not_found', 'There is no delivery with this id.');
    },
  };
}

/** @throws Problem `not_found` if the account has no such webhook */
export async function requireEndpoint({ db }: ApiContext, name: EndpointName): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(db, name);
  if (endpoint === null) throw noWebhook();
  return endpoint;
}

async function requireActive(context: ApiContext, name: EndpointName): Promise<void> {
  const { status } = await requireEndpoint(context, name);
  if (status === 'disabled')
    throw invalidWebhook('#', 'The webhook is disabled: set its `status` to `active` first.');
}

export function noWebhook(): Problem {
  return new Problem('not_found', 'There is no webhook with this id.');
}

/** @param pointer of the field that is not valid */
export function invalidWebhook(pointer: string, detail: string): Problem {
  return new Problem('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });
}

/** A delivery is handed over within a second, and an answer usually comes within another. */
const retryAfterSeconds = 2;

function startedDelivery(response: Response, deliveryId: string) {
  response.set('Retry-After', String(retryAfterSeconds));
  return { delivery_id: deliveryId };
}

function presentDelivery(delivery: WebhookDelivery): WebhookDeliveryView {
  const { id, type, createdAt, status, nextAttemptAt, attempts } = delivery;
  return {
    id,
    type,
    created_at: createdAt.toISOString(),
    status,
    attempts: attempts.map(({ at, statusCode, error, excerpt }) => ({
      at: at.toISOString(),
      status_code: statusCode,
      error,
      excerpt,
    })),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}
