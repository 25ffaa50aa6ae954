import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  type NewEndpoint,
  rotateSecret,
} from '../../../db/webhooks/endpoints.js';
import { webhooksPerAccount } from '../../../purchase/limits.js';
import type { WebhookDisabledReason } from '../../../purchase/webhooks.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const newSecret = () => ({
  id: randomUUID(),
  sealed: { kid: 'k1', iv: randomBytes(12), tag: randomBytes(16), ciphertext: randomBytes(20) },
});

const create = (accountId: string, more: Partial<NewEndpoint> = {}) =>
  createEndpoint(world.db, {
    id: randomUUID(),
    accountId,
    url: 'https://hooks.example.com/council',
    types: ['report.completed'],
    description: null,
    secret: newSecret(),
    now: noon,
    ...more,
  });

async function openEndpoint() {
  const accountId = await world.openAccount();
  const secret = newSecret();
  const endpoint = await create(accountId, { secret });
  if (endpoint === null) throw new Error('there are too many');
  return { accountId, id: endpoint.id, firstSecret: secret.id };
}

const secretsOf = (endpointId: string) =>
  world.sql('select id, ends_at from webhook_secrets where endpoint_id = $1 order by created_at', [
    endpointId,
  ]);

const disabledFor = (id: string, reason: WebhookDisabledReason) =>
  world.sql(`update webhook_endpoints set status = 'disabled', disabled_reason = $2 where id = $1`, [
    id,
    reason,
  ]);

describe('the endpoints of an account', () => {
  test('are at most ten, even if many are created at once', async () => {
    const accountId = await world.openAccount();
    const created = await inParallel(webhooksPerAccount + 10, () => create(accountId));
    expect(created.filter(each => each !== null)).toHaveLength(webhooksPerAccount);
    const [{ id } = { id: '' }] = await listEndpoints(world.db, accountId);
    await deleteEndpoint(world.db, { accountId, id });
    expect(await create(accountId)).not.toBeNull();
    expect(await listEndpoints(world.db, accountId)).toHaveLength(webhooksPerAccount);
  });

  test('are listed newest first, and to nobody else', async () => {
    const [mine, theirs] = [await world.openAccount(), await world.openAccount()];
    const first = await create(mine, { description: 'first' });
    const second = await create(mine, { now: later({ hours: 1 }) });
    await create(theirs);
    expect(await listEndpoints(world.db, mine)).toEqual([second, first]);
  });

  test('are found, changed, rotated and deleted by their own account only', async () => {
    const { accountId, id } = await openEndpoint();
    const theirs = { accountId: await world.openAccount(), id };
    const before = await findEndpoint(world.db, { accountId, id });
    expect(await findEndpoint(world.db, theirs)).toBeNull();
    expect(await changeEndpoint(world.db, theirs, { status: 'disabled' })).toBeNull();
    expect(await rotateSecret(world.db, theirs, newSecret(), noon)).toBe(false);
    expect(await deleteEndpoint(world.db, theirs)).toBe(false);
    expect(await findEndpoint(world.db, { accountId, id })).toEqual(before);
    expect(await secretsOf(id)).toHaveLength(1);
  });
});

describe('a change', () => {
  test('touches only what it names', async () => {
    const { accountId, id } = await openEndpoint();
    const before = await findEndpoint(world.db, { accountId, id });
    expect(await changeEndpoint(world.db, { accountId, id }, {})).toEqual(before);
    const described = await changeEndpoint(world.db, { accountId, id }, { description: 'production' });
    expect(described).toEqual({ ...before, description: 'production' });
    const moved = { url: 'https://other.example.com/', types: ['balance.low', 'webhook.test'] as const };
    expect(await changeEndpoint(world.db, { accountId, id }, { ...moved, description: null })).toEqual({
      ...before,
      ...moved,
    });
  });

  test.each<WebhookDisabledReason>(['gone', 'failing'])(
    'keeps the reason %s of a disabled endpoint until it is enabled',
    async reason => {
      const { accountId, id } = await openEndpoint();
      await disabledFor(id, reason);
      const change = (status: 'active' | 'disabled') =>
        changeEndpoint(world.db, { accountId, id }, { status });
      expect(await change('disabled')).toMatchObject({ status: 'disabled', disabledReason: reason });
      expect(await change('active')).toMatchObject({ status: 'active', disabledReason: null });
      expect(await change('disabled')).toMatchObject({ status: 'disabled', disabledReason: 'asked' });
    },
  );
});

describe('a rotation', () => {
  test('leaves the secret before for a day, and no earlier one', async () => {
    const { accountId, id, firstSecret } = await openEndpoint();
    const [second, third] = [newSecret(), newSecret()];
    await rotateSecret(world.db, { accountId, id }, second, later({ hours: 1 }));
    expect(await secretsOf(id)).toEqual([
      { id: firstSecret, ends_at: later({ hours: 25 }) },
      { id: second.id, ends_at: null },
    ]);
    await rotateSecret(world.db, { accountId, id }, third, later({ hours: 2 }));
    expect(await secretsOf(id)).toEqual([
      { id: second.id, ends_at: later({ hours: 26 }) },
      { id: third.id, ends_at: null },
    ]);
  });

  test('among many at once leaves two secrets, of which one has no end', async () => {
    const { accountId, id } = await openEndpoint();
    await inParallel(8, () => rotateSecret(world.db, { accountId, id }, newSecret(), noon));
    const secrets = await secretsOf(id);
    expect(secrets).toHaveLength(2);
    expect(secrets.filter(({ ends_at }) => ends_at === null)).toHaveLength(1);
  });
});

test('deleting an endpoint leaves no secret, delivery or try', async () => {
  const { accountId, id } = await openEndpoint();
  const [delivery] = await world.sql(
    `insert into webhook_deliveries (endpoint_id, type, data, created_at) values ($1, 'webhook.test', '{}', $2)
      returning id`,
    [id, noon],
  );
  await world.sql('insert into webhook_attempts (delivery_id, number, at) values ($1, 1, $2)', [
    delivery.id,
    noon,
  ]);
  expect(await deleteEndpoint(world.db, { accountId, id })).toBe(true);
  expect(await secretsOf(id)).toEqual([]);
  expect(await world.sql('select from webhook_deliveries where endpoint_id = $1', [id])).toEqual([]);
  expect(await world.sql('select from webhook_attempts where delivery_id = $1', [delivery.id])).toEqual([]);
});
