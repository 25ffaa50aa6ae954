import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import type { Db } from '../../../db/database.js';
import type { EndpointName, WebhookEndpoint } from '../../../db/webhooks/endpoints.js';
import { type WebhookType, webhookTypes } from '../../../purchase/webhooks.js';
import type { CommandContext } from '../../command-context.js';
import { commandLine } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';
import {
  type AccountName,
  type AccountOptions,
  accountNamed,
  named,
  requireAccount,
} from '../find-account.js';

/** Options that name an account and one of its webhooks. */
export type WebhookOptions = AccountOptions & { readonly webhook: string };

/** Adds the options that name a webhook of an account. */
export function webhookNamed(command: Command): Command {
  return named(command).requiredOption('--webhook <id>', 'the id of the webhook, from `webhooks list`');
}

/** Acts on the webhook that the options name. @throws Failure if there is no such account, or the id is none */
export async function atEndpoint(
  context: CommandContext,
  options: WebhookOptions,
  act: (db: Db, name: EndpointName) => Promise<void>,
): Promise<void> {
  const account = accountNamed(options);
  await context.database(async db => act(db, await endpointNamed(db, account, options)));
}

async function endpointNamed(
  db: Db,
  account: AccountName,
  { webhook: id }: Pick<WebhookOptions, 'webhook'>,
): Promise<EndpointName> {
  const { id: accountId } = await requireAccount(db, account);
  if (z.uuid().safeParse(id).success) return { accountId, id };
  throw noSuchWebhook({ accountId, id });
}

export function noSuchWebhook({ accountId, id }: EndpointName): Failure {
  return new Failure(`The account has no webhook with the id ${id}.`, {
    next: `See ${commandLine(`webhooks list --id ${accountId}`)}.`,
  });
}

export const typesHelp = `what to send, separated by commas: ${webhookTypes.join(', ')}`;

/** Parses a list of types on the command line. */
export function parseTypes(text: string): readonly WebhookType[] {
  const words = new Set<string>(text.split(',').map(word => word.trim()));
  const known = webhookTypes.filter(type => words.has(type));
  if (known.length > 0 && known.length === words.size) return known;
  throw new InvalidArgumentError(`Expected some of ${webhookTypes.join(', ')}.`);
}

/** As the API shows it. */
export function documentOf(endpoint: WebhookEndpoint) {
  const { disabledReason, createdAt, lastDeliveryAt, ...fields } = endpoint;
  return {
    ...fields,
    disabled_reason: disabledReason,
    created_at: createdAt.toISOString(),
    last_delivery_at: lastDeliveryAt?.toISOString() ?? null,
  };
}

export function lineOf(endpoint: WebhookEndpoint): string {
  const { id, url, types, description, status, disabledReason: reason, lastDeliveryAt: last } = endpoint;
  return [
    `${id}  ${url}${description === null ? '' : ` (${description})`}`,
    types.join(' '),
    status === 'active' ? 'active' : `disabled: ${reason}`,
    last === null ? 'nothing delivered' : `last delivery ${last.toISOString()}`,
  ].join(', ');
}
