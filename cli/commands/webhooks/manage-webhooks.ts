import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../../db/webhooks/endpoints.js';
import { encryptionKeys } from '../../../platform/keys/encryption-keys.js';
import { sealForNewRow } from '../../../platform/keys/seal.js';
import { checkTarget } from '../../../platform/webhooks/check-target.js';
import { newWebhookSecret } from '../../../platform/webhooks/sign-webhook.js';
import {
  webhookLabelMaxChars,
  webhookSecretKeptHours,
  webhooksPerAccount,
} from '../../../purchase/limits.js';
import { type WebhookStatus, type WebhookType, webhookStatuses } from '../../../purchase/webhooks.js';
import type { CommandContext } from '../../command-context.js';
import { commandLine, examples } from '../../terminal/command-line.js';
import { exitCodes, Failure } from '../../terminal/failure.js';
import { type AccountOptions, accountNamed, named, requireAccount } from '../find-account.js';
import {
  atEndpoint,
  documentOf,
  lineOf,
  noSuchWebhook,
  parseTypes,
  typesHelp,
  type WebhookOptions,
  webhookNamed,
} from './name-webhook.js';

/** Adds the commands of this file to their group. They act on the database, as an owner does over the API. */
export function register(group: Command, context: CommandContext): void {
  registerList(group, context);
  registerCreate(group, context);
  registerUpdate(group, context);
  registerDelete(group, context);
  registerRotate(group, context);
}

function registerList(group: Command, context: CommandContext): void {
  const { output } = context;
  named(group.command('list'))
    .description('Lists the webhooks of an account, newest first, and why one is disabled.')
    .summary('list the webhooks of an account')
    .addHelpText('after', examples('webhooks list --email you@example.com'))
    .action(async (options: AccountOptions) => {
      const account = accountNamed(options);
      await context.database(async db => {
        const { id } = await requireAccount(db, account);
        const endpoints = await listEndpoints(db, id);
        const lines = endpoints.map(lineOf).join('\n');
        output.result(
          { webhooks: endpoints.map(documentOf) },
          lines === '' ? 'The account has no webhooks.' : lines,
        );
      });
    });
}

interface FieldOptions {
  readonly url?: string;
  readonly types?: readonly WebhookType[];
  readonly description?: string;
  readonly status?: WebhookStatus;
}

function registerCreate(group: Command, context: CommandContext): void {
  const { output } = context;
  named(group.command('create'))
    .description('Creates a webhook for an account. Its secret is shown only once.')
    .summary('create a webhook for an account')
    .requiredOption('--url <address>', 'where to send: a public https address')
    .requiredOption('--types <types>', typesHelp, parseTypes)
    .option('--description <text>', 'what the webhook is for')
    .addHelpText(
      'after',
      examples(
        'webhooks create --email you@example.com --url https://hooks.example.com/council --types report.completed,report.failed',
      ),
    )
    .action(async ({ url = '', types = [], description = '', ...options }: AccountOptions & FieldOptions) => {
      const account = accountNamed(options);
      const label = labelOf(description);
      const target = await checkedTarget(context, url);
      await context.database(async db => {
        const { id: accountId } = await requireAccount(db, account);
        const { secret, stored } = newSecret(context, accountId);
        const fields = { url: target, types, description: label, secret: stored };
        const created = await createEndpoint(db, { id: randomUUID(), accountId, ...fields, now: new Date() });
        if (created === null) {
          throw new Failure(`The account already has ${webhooksPerAccount} webhooks.`, {
            next: `See ${commandLine('webhooks list')}, and delete one with ${commandLine('webhooks delete')}.`,
          });
        }
        output.result({ webhook: documentOf(created), secret }, `${lineOf(created)}\n${secret}`);
        output.next(
          'Store this secret now: it is not shown again. Its receiver verifies deliveries with it.',
        );
        output.next(`To try it: ${commandLine(`webhooks test --id ${accountId} --webhook ${created.id}`)}`);
      });
    });
}

function registerUpdate(group: Command, context: CommandContext): void {
  const { output } = context;
  webhookNamed(group.command('update'))
    .description(
      'Changes a webhook: its address, types or description, and whether it is sent anything. Enabling it forgets why it was disabled.',
    )
    .summary('change, disable or enable a webhook')
    .option('--url <address>', 'where to send from now on')
    .option('--types <types>', typesHelp, parseTypes)
    .option('--description <text>', 'what the webhook is for; empty for nothing')
    .addOption(new Option('--status <status>', 'whether it is sent anything').choices(webhookStatuses))
    .addHelpText(
      'after',
      examples(
        'webhooks update --email you@example.com --webhook ID --status active',
        'webhooks update --email you@example.com --webhook ID --types report.graded',
      ),
    )
    .action(async ({ url, types, description, status, ...options }: WebhookOptions & FieldOptions) => {
      const changes = {
        types,
        status,
        description: description === undefined ? undefined : labelOf(description),
        url: url === undefined ? undefined : await checkedTarget(context, url),
      };
      await atEndpoint(context, options, async (db, name) => {
        const changed = await changeEndpoint(db, name, changes);
        if (changed === null) throw noSuchWebhook(name);
        output.result(documentOf(changed), lineOf(changed));
      });
    });
}

function registerDelete(group: Command, context: CommandContext): void {
  webhookNamed(group.command('delete'))
    .description('Deletes a webhook with its secrets and deliveries. Nothing more is sent to it.')
    .summary('delete a webhook')
    .addHelpText('after', examples('webhooks delete --email you@example.com --webhook ID'))
    .action((options: WebhookOptions) =>
      atEndpoint(context, options, async (db, name) => {
        if (!(await deleteEndpoint(db, name))) throw noSuchWebhook(name);
        context.output.result({ id: name.id, deleted: true }, `The webhook ${name.id} is deleted.`);
      }),
    );
}

function registerRotate(group: Command, context: CommandContext): void {
  webhookNamed(group.command('rotate-secret'))
    .description(
      `Gives a webhook a new secret, which is shown only once. The one before signs beside it for ${webhookSecretKeptHours} hours; an earlier one ends at once.`,
    )
    .summary('give a webhook a new secret')
    .addHelpText('after', examples('webhooks rotate-secret --email you@example.com --webhook ID'))
    .action((options: WebhookOptions) =>
      atEndpoint(context, options, async (db, name) => {
        const { secret, stored } = newSecret(context, name.accountId);
        if (!(await rotateSecret(db, name, stored, new Date()))) throw noSuchWebhook(name);
        // The secret alone on standard output, so that `SECRET=$(…)` is all a script needs.
        context.output.result({ secret }, secret);
        context.output.next('Store this secret now: it is not shown again.');
      }),
    );
}

async function checkedTarget(context: CommandContext, url: string): Promise<string> {
  const target = await checkTarget(url, context.settings().WEBHOOK_TARGETS);
  if (target.ok) return target.url;
  throw new Failure(`--url: ${target.reason}`, { next: 'Nothing was changed.', exitCode: exitCodes.usage });
}

function labelOf(text: string): string | null {
  const label = text.trim();
  if (Array.from(label).length <= webhookLabelMaxChars) return label === '' ? null : label;
  throw new Failure(`--description must have at most ${webhookLabelMaxChars} characters.`, {
    next: 'Nothing was changed.',
    exitCode: exitCodes.usage,
  });
}

function newSecret(context: CommandContext, accountId: string) {
  const means = { keyRing: encryptionKeys(context.settings()), newId: randomUUID, randomBytes };
  const secret = newWebhookSecret(randomBytes);
  return { secret, stored: sealForNewRow(means, secret, { accountId, provider: 'webhook' }) };
}
