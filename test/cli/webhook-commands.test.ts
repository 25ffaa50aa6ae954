import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { unseal } from '../../platform/keys/seal.js';
import { useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';

const world = useTestWorld();
const key = Buffer.alloc(32, 7);

const run = (args: readonly string[], more: Record<string, string> = {}) =>
  council(args, {
    DATABASE_URL: world.url,
    ENCRYPTION_KEYS: `test:${key.toString('base64')}`,
    WEBHOOK_TARGETS: 'public',
    ...more,
  });

/** The commands of an account's webhooks. */
async function operator() {
  const accountId = await world.openAccount();
  const webhooks = async (...args: readonly string[]) => {
    const { code, out } = await run(['webhooks', ...args, '--id', accountId, '--json']);
    return { code, result: JSON.parse(out) };
  };
  const create = (...more: readonly string[]) =>
    webhooks(
      'create',
      '--url',
      'https://8.8.8.8/council',
      '--types',
      'report.failed,report.completed',
      ...more,
    );
  return { accountId, webhooks, create };
}

const refusal = (detail: RegExp) => ({ error: { detail: expect.stringMatching(detail) } });

describe('council webhooks', () => {
  test('creates a webhook, shows its secret once, and lists it', async () => {
    const { accountId, webhooks, create } = await operator();
    const { code, result } = await create('--description', ' production ');
    expect(code).toBe(0);
    expect(result).toEqual({
      webhook: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: 'https://8.8.8.8/council',
        types: ['report.completed', 'report.failed'],
        description: 'production',
        status: 'active',
        disabled_reason: null,
        created_at: expect.stringMatching(/Z$/),
        last_delivery_at: null,
      },
      secret: expect.stringMatching(/^whsec_/),
    });
    expect((await webhooks('list')).result).toEqual({ webhooks: [result.webhook] });
    const [row] = await world.sql('select * from webhook_secrets where endpoint_id = $1', [
      result.webhook.id,
    ]);
    const place = { keyId: row.id, accountId, provider: 'webhook' };
    expect(unseal([{ kid: 'test', key }], row, place)).toBe(result.secret);
  });

  test('changes, disables and enables a webhook', async () => {
    const { webhooks, create } = await operator();
    const { id } = (await create('--description', 'old')).result.webhook;
    const update = async (...changes: readonly string[]) =>
      (await webhooks('update', '--webhook', id, ...changes)).result;
    expect(await update('--status', 'disabled')).toMatchObject({ disabled_reason: 'asked' });
    expect(await update('--status', 'active')).toMatchObject({ status: 'active', disabled_reason: null });
    expect(
      await update('--url', 'https://1.1.1.1/', '--types', 'balance.low', '--description', ''),
    ).toMatchObject({ url: 'https://1.1.1.1/', types: ['balance.low'], description: null });
  });

  test('refuses an address that WEBHOOK_TARGETS excludes, and changes nothing', async () => {
    const { webhooks, create } = await operator();
    const { webhook } = (await create()).result;
    const inside = ['--url', 'https://10.0.0.7/'];
    const refused = { code: 2, result: refusal(/^--url: The host is not at a public address/) };
    expect(await webhooks('create', ...inside, '--types', 'balance.low')).toMatchObject(refused);
    expect(await webhooks('update', '--webhook', webhook.id, ...inside)).toMatchObject(refused);
    expect((await webhooks('list')).result).toEqual({ webhooks: [webhook] });
  });

  test('rotates the secret: the new one signs beside the one before', async () => {
    const { webhooks, create } = await operator();
    const { webhook, secret } = (await create()).result;
    const { result } = await webhooks('rotate-secret', '--webhook', webhook.id);
    expect(result).toEqual({ secret: expect.stringMatching(/^whsec_/) });
    expect(result.secret).not.toBe(secret);
    const rows = await world.sql('select ends_at from webhook_secrets where endpoint_id = $1', [webhook.id]);
    expect(rows.filter(({ ends_at }) => ends_at === null)).toHaveLength(1);
    expect(rows).toHaveLength(2);
  });

  test('sends a test, lists deliveries with their tries, and sends one again', async () => {
    const { webhooks, create } = await operator();
    const { id } = (await create()).result.webhook;
    const { delivery_id } = (await webhooks('test', '--webhook', id)).result;
    await world.sql(
      `update webhook_deliveries set status = 'failed', ended_at = now(), next_attempt_at = null where id = $1`,
      [delivery_id],
    );
    await world.sql(
      `insert into webhook_attempts (delivery_id, number, at, status_code, error, excerpt)
        values ($1, 1, now(), 500, 'The endpoint answered 500.', 'oops')`,
      [delivery_id],
    );
    const deliveries = async () => (await webhooks('deliveries', '--webhook', id)).result;
    const attempts = [
      { at: expect.any(String), status_code: 500, error: 'The endpoint answered 500.', excerpt: 'oops' },
    ];
    expect(await deliveries()).toEqual({
      deliveries: [
        {
          id: delivery_id,
          type: 'webhook.test',
          status: 'failed',
          created_at: expect.any(String),
          attempts,
          next_attempt_at: null,
        },
      ],
      total: 1,
    });
    const again = await webhooks('redeliver', '--webhook', id, '--delivery', delivery_id);
    expect(again).toEqual({ code: 0, result: { delivery_id } });
    expect(await deliveries()).toMatchObject({
      deliveries: [{ id: delivery_id, status: 'pending', attempts }],
    });
  });

  test('sends nothing to a webhook that is disabled', async () => {
    const { webhooks, create } = await operator();
    const { id } = (await create()).result.webhook;
    await webhooks('update', '--webhook', id, '--status', 'disabled');
    expect(await webhooks('test', '--webhook', id)).toMatchObject({
      code: 1,
      result: refusal(/is disabled/),
    });
    expect((await webhooks('deliveries', '--webhook', id)).result).toEqual({ deliveries: [], total: 0 });
  });

  test('acts on no webhook of another account', async () => {
    const { create, webhooks } = await operator();
    const { webhook } = (await create()).result;
    const { delivery_id } = (await webhooks('test', '--webhook', webhook.id)).result;
    const other = await operator();
    for (const [command = '', ...args] of [
      ['update', '--status', 'disabled'],
      ['delete'],
      ['rotate-secret'],
      ['test'],
      ['deliveries'],
      ['redeliver', '--delivery', delivery_id],
    ]) {
      const answer = await other.webhooks(command, '--webhook', webhook.id, ...args);
      expect(answer).toMatchObject({ code: 1, result: refusal(/no webhook with the id/) });
    }
    expect((await other.webhooks('list')).result).toEqual({ webhooks: [] });
    expect((await webhooks('list')).result).toEqual({ webhooks: [webhook] });
  });

  test('deletes a webhook, and knows none by another id', async () => {
    const { webhooks, create } = await operator();
    const { id } = (await create()).result.webhook;
    expect((await webhooks('delete', '--webhook', id)).result).toEqual({ id, deleted: true });
    for (const unknown of [id, randomUUID(), 'mine'])
      expect(await webhooks('delete', '--webhook', unknown)).toMatchObject({
        code: 1,
        result: refusal(/no webhook with the id/),
      });
  });
});
