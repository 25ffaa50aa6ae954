import type { Command } from 'commander';
import { z } from 'zod';
import type { Db } from '../../../db/database.js';
import {
  insertTest,
  listDeliveries,
  redeliver,
  type WebhookDelivery,
} from '../../../db/webhooks/deliveries.js';
import { type EndpointName, findEndpoint } from '../../../db/webhooks/endpoints.js';
import { pageSizeDefault, pageSizeMax } from '../../../purchase/limits.js';
import type { CommandContext } from '../../command-context.js';
import { commandLine, examples, wholeNumber } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';
import { atEndpoint, noSuchWebhook, type WebhookOptions, webhookNamed } from './name-webhook.js';

/** Adds the commands of this file to their group. A worker sends what they ask for. */
export function register(group: Command, context: CommandContext): void {
  registerTest(group, context);
  registerDeliveries(group, context);
  registerRedeliver(group, context);
}

function registerTest(group: Command, context: CommandContext): void {
  webhookNamed(group.command('test'))
    .description(
      'Sends `webhook.test` to a webhook, whatever types it has. A worker sends it within seconds.',
    )
    .summary('send a test to a webhook')
    .addHelpText('after', examples('webhooks test --email you@example.com --webhook ID'))
    .action((options: WebhookOptions) =>
      atEndpoint(context, options, async (db, name) => {
        await requireActive(db, name);
        const id = await insertTest(db, name, new Date());
        if (id === null) throw noSuchWebhook(name);
        context.output.result({ delivery_id: id }, `The test ${id} is being sent.`);
        context.output.next(`To see what came of it: ${deliveriesOf(name)}`);
      }),
    );
}

function registerDeliveries(group: Command, context: CommandContext): void {
  webhookNamed(group.command('deliveries'))
    .description('Lists the newest deliveries to a webhook, with what came of each try.')
    .summary('list the deliveries to a webhook')
    .option('--limit <n>', `how many: at most ${pageSizeMax}`, wholeNumber, pageSizeDefault)
    .addHelpText('after', examples('webhooks deliveries --email you@example.com --webhook ID --limit 5'))
    .action(({ limit, ...options }: WebhookOptions & { limit: number }) =>
      atEndpoint(context, options, async (db, name) => {
        if ((await findEndpoint(db, name)) === null) throw noSuchWebhook(name);
        const paging = { page: 1, perPage: Math.min(limit, pageSizeMax) };
        const { rows, total } = await listDeliveries(db, name.id, paging);
        const text = rows.flatMap(linesOf).join('\n');
        context.output.result(
          { deliveries: rows.map(documentOf), total },
          text === '' ? 'Nothing was sent to the webhook in the last 30 days.' : text,
        );
      }),
    );
}

function registerRedeliver(group: Command, context: CommandContext): void {
  webhookNamed(group.command('redeliver'))
    .description('Sends a delivery again, with the same id and body, whether it arrived or not.')
    .summary('send a delivery again')
    .requiredOption('--delivery <id>', 'the id of the delivery, from `webhooks deliveries`')
    .addHelpText('after', examples('webhooks redeliver --email you@example.com --webhook ID --delivery ID'))
    .action(({ delivery, ...options }: WebhookOptions & { delivery: string }) =>
      atEndpoint(context, options, async (db, name) => {
        await requireActive(db, name);
        const isId = z.uuid().safeParse(delivery).success;
        if (!isId || !(await redeliver(db, name, delivery, new Date()))) {
          throw new Failure(`The webhook has no delivery with the id ${delivery}.`, {
            next: `See ${deliveriesOf(name)}.`,
          });
        }
        context.output.result({ delivery_id: delivery }, `The delivery ${delivery} is being sent again.`);
      }),
    );
}

async function requireActive(db: Db, name: EndpointName): Promise<void> {
  const endpoint = await findEndpoint(db, name);
  if (endpoint === null) throw noSuchWebhook(name);
  if (endpoint.status === 'active') return;
  throw new Failure('The webhook is disabled: nothing was sent.', {
    next: `Enable it first: ${commandLine(`webhooks update --id ${name.accountId} --webhook ${name.id} --status active`)}`,
  });
}

function deliveriesOf({ accountId, id }: EndpointName): string {
  return commandLine(`webhooks deliveries --id ${accountId} --webhook ${id}`);
}

/** As the API shows it. */
function documentOf({ createdAt, nextAttemptAt, attempts, ...delivery }: WebhookDelivery) {
  return {
    ...delivery,
    created_at: createdAt.toISOString(),
    attempts: attempts.map(({ at, statusCode, ...attempt }) => ({
      at: at.toISOString(),
      status_code: statusCode,
      ...attempt,
    })),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}

function linesOf({ id, type, createdAt, status, nextAttemptAt: next, attempts }: WebhookDelivery): string[] {
  const due = next === null ? '' : `, next try ${next.toISOString()}`;
  return [
    `${id}  ${type}, ${createdAt.toISOString()}, ${status}${due}`,
    ...attempts.map(
      ({ at, statusCode, error }) =>
        `  ${at.toISOString()}  ${statusCode ?? 'no answer'}${error === null ? '' : `  ${error}`}`,
    ),
  ];
}
