import type { WebhookChanges, WebhookView, webhookOperations } from '../../contract/webhooks.js';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointChanges,
  listEndpoints,
  rotateSecret,
  type WebhookEndpoint,
} from '../../db/webhooks/endpoints.js';
import { sealForNewRow } from '../../platform/keys/seal.js';
import { newWebhookSecret } from '../../platform/webhooks/sign-webhook.js';
import { webhooksPerAccount } from '../../purchase/limits.js';
import { typesInOrder } from '../../purchase/webhooks.js';
import type { ApiContext } from '../context.js';
import type { Handlers } from '../http/serve-operations.js';
import { deliveryHandlers, invalidWebhook, noWebhook, requireEndpoint } from './webhook-deliveries.js';

/** The webhooks of an account. */
export function webhookHandlers(context: ApiContext): Handlers<typeof webhookOperations> {
  const { db, newId, now } = context;
  return {
    createWebhook: async ({ body: { url, types, description }, caller: { accountId } }) => {
      const target = await checkedTarget(context, url);
      const { secret, stored } = newSecret(context, accountId);
      const created = await createEndpoint(db, {
        id: newId(),
        accountId,
        url: target,
        types: typesInOrder(types),
        description: description ?? null,
        secret: stored,
        now: now(),
      });
      if (created !== null) return { webhook: presentWebhook(created), secret };
      throw invalidWebhook('#', `An account can have at most ${webhooksPerAccount} webhooks.`);
    },
    listWebhooks: async ({ caller }) => ({
      webhooks: (await listEndpoints(db, caller.accountId)).map(presentWebhook),
    }),
    updateWebhook: async ({ parameters: { id }, body, caller: { accountId } }) => {
      // Before the address is checked: nobody has names resolved with the id of a webhook that is not theirs.
      await requireEndpoint(context, { accountId, id });
      const changed = await changeEndpoint(db, { accountId, id }, await checkedChanges(context, body));
      if (changed === null) throw noWebhook();
      return presentWebhook(changed);
    },
    deleteWebhook: async ({ parameters: { id }, caller: { accountId } }) => {
      if (await deleteEndpoint(db, { accountId, id })) return null;
      throw noWebhook();
    },
    rotateWebhookSecret: async ({ parameters: { id }, caller: { accountId } }) => {
      const { secret, stored } = newSecret(context, accountId);
      if (await rotateSecret(db, { accountId, id }, stored, now())) return { secret };
      throw noWebhook();
    },
    ...deliveryHandlers(context),
  };
}

/** @returns the address as it is stored and called. @throws Problem `invalid_request` with the reason */
async function checkedTarget({ checkWebhookTarget }: ApiContext, url: string): Promise<string> {
  const target = await checkWebhookTarget(url);
  if (target.ok) return target.url;
  throw invalidWebhook('#/url', target.reason);
}

async function checkedChanges(
  context: ApiContext,
  { url, types, description, status }: WebhookChanges,
): Promise<EndpointChanges> {
  return {
    url: url === undefined ? undefined : await checkedTarget(context, url),
    types: types === undefined ? undefined : typesInOrder(types),
    description,
    status,
  };
}

function newSecret(context: ApiContext, accountId: string) {
  const secret = newWebhookSecret(context.randomBytes);
  return { secret, stored: sealForNewRow(context, secret, { accountId, provider: 'webhook' }) };
}

function presentWebhook(endpoint: WebhookEndpoint): WebhookView {
  const { id, url, types, description, status, disabledReason, createdAt, lastDeliveryAt } = endpoint;
  return {
    id,
    url,
    types,
    description,
    status,
    disabled_reason: disabledReason,
    created_at: createdAt.toISOString(),
    last_delivery_at: lastDeliveryAt?.toISOString() ?? null,
  };
}
