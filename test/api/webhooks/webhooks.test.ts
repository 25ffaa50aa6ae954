import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { unseal } from '../../../platform/keys/seal.js';
import { checkTarget } from '../../../platform/webhooks/check-target.js';
import { signWebhook } from '../../../platform/webhooks/sign-webhook.js';
import { webhooksPerAccount } from '../../../purchase/limits.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

/** The names of hosts, and where they are. A name that is not here does not resolve. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['8.8.8.8', '2606:4700:4700::1111'],
  'inside.example.com': ['10.0.0.7'],
  'half-inside.example.com': ['8.8.8.8', '169.254.169.254'],
};
const asked: string[] = [];

async function resolve(host: string): Promise<readonly string[]> {
  asked.push(host);
  const found = hosts[host];
  if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return found;
}

const keyRing = [{ kid: 'test', key: randomBytes(32) }];
const service = await useTestService({
  worker: false,
  keyRing,
  checkWebhookTarget: address => checkTarget(address, 'public', resolve),
});

const session = { as: 'session' } as const;
const url = 'https://hooks.example.com/council';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const create = (caller: TestCaller, more: object = {}) =>
  caller.post('/api/webhooks', { url, types: ['report.completed'], ...more }, session);
const list = async (caller: TestCaller) => (await caller.get('/api/webhooks', session)).body.webhooks;
const patch = (caller: TestCaller, id: string, body: unknown) =>
  caller.patch(`/api/webhooks/${id}`, body, session);
const rotate = (caller: TestCaller, id: string) =>
  caller.post(`/api/webhooks/${id}/secret`, undefined, session);

async function newWebhook(more: object = {}) {
  const caller = await service.newCaller();
  const { body } = await create(caller, more);
  const id: string = body.webhook.id;
  return { caller, id, secret: String(body.secret) };
}

/** The secrets of a webhook as a worker opens them, the newest first. */
async function secretsOf(accountId: string, endpointId: string): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    'select * from webhook_secrets where endpoint_id = $1 order by ends_at desc nulls first',
    [endpointId],
  );
  return rows.map(row => unseal(keyRing, row, { keyId: row.id, accountId, provider: 'webhook' }));
}

const isNowhereKept = ({ headers }: Answer) => expect(headers.get('cache-control')).toContain('no-store');

describe('a webhook', () => {
  test('is created active with each type once, and shows its secret then only', async () => {
    const caller = await service.newCaller();
    const created = await create(caller, {
      types: ['webhook.test', 'report.failed', 'report.completed', 'report.failed'],
      description: '  production ',
    });
    expect(created.status).toBe(201);
    isNowhereKept(created);
    const { webhook, secret } = created.body;
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      types: ['report.completed', 'report.failed', 'webhook.test'],
      description: 'production',
      status: 'active',
      disabled_reason: null,
      created_at: timestamp,
      last_delivery_at: null,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await caller.get('/api/webhooks', session);
    expect(listed.body).toEqual({ webhooks: [webhook] });
    const stored = await service.database.pool.query('select * from webhook_secrets');
    expect(JSON.stringify(stored.rows)).not.toContain(secret.slice(6, 30));
    expect(await secretsOf(caller.accountId, webhook.id)).toEqual([secret]);
  });

  test('is not among more than ten of an account', async () => {
    const caller = await service.newCaller();
    for (let count = 0; count < webhooksPerAccount; count++) expect((await create(caller)).status).toBe(201);
    expectInvalid(await create(caller), ['#']);
    expect(await list(caller)).toHaveLength(webhooksPerAccount);
  });

  test('changes by the fields that are sent, and is enabled again without its reason', async () => {
    const { caller, id } = await newWebhook({ description: 'old' });
    const [before] = await list(caller);
    expect(await patch(caller, id, {})).toMatchObject({ status: 200, body: before });
    const moved = { url: 'https://hooks.example.com:8443/v2', types: ['balance.low'], description: null };
    expect((await patch(caller, id, moved)).body).toEqual({ ...before, ...moved });
    const disabled = await patch(caller, id, { status: 'disabled' });
    expect(disabled.body).toMatchObject({ status: 'disabled', disabled_reason: 'asked' });
    await service.database.pool.query(
      `update webhook_endpoints set disabled_reason = 'failing' where id = $1`,
      [id],
    );
    const enabled = await patch(caller, id, { status: 'active' });
    expect(enabled.body).toEqual({ ...before, ...moved });
  });

  test('is gone with its secrets once it is deleted', async () => {
    const { caller, id } = await newWebhook();
    expect(await caller.delete(`/api/webhooks/${id}`, session)).toMatchObject({ status: 204, body: null });
    expectProblem(await caller.delete(`/api/webhooks/${id}`, session), 'not_found');
    expectProblem(await patch(caller, id, { status: 'active' }), 'not_found');
    expect(await list(caller)).toEqual([]);
    expect(await secretsOf(caller.accountId, id)).toEqual([]);
  });

  test('is kept when its account is suspended, like everything that the account has', async () => {
    const { caller, id } = await newWebhook();
    await service.database.pool.query(
      `update accounts set suspended_at = now(), suspended_because = 'test' where id = $1`,
      [caller.accountId],
    );
    expect(await list(caller)).toMatchObject([{ id, status: 'active' }]);
    expect((await patch(caller, id, { status: 'disabled' })).status).toBe(200);
  });
});

describe('the secret of a webhook', () => {
  const content = { type: 'webhook.test', timestamp: '2031-03-05T12:00:00.000Z', data: {} };

  test('verifies what it signs, by a library of the published scheme', async () => {
    const { secret } = await newWebhook();
    const body = JSON.stringify(content);
    const seconds = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': 'a-delivery',
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook([secret], 'a-delivery', seconds, body),
    };
    expect(new Webhook(secret).verify(body, headers)).toEqual(content);
    expect(() => new Webhook(secret).verify(body.replace('test', 'best'), headers)).toThrow();
    const { secret: another } = await newWebhook();
    expect(() => new Webhook(another).verify(body, headers)).toThrow();
  });

  test('signs beside the one before after a rotation, and never three', async () => {
    const { caller, id, secret: first } = await newWebhook();
    const rotated = await rotate(caller, id);
    expect(rotated.status).toBe(200);
    isNowhereKept(rotated);
    const { secret: second } = rotated.body;
    expect(rotated.body).toEqual({ secret: expect.stringMatching(/^whsec_/) });
    expect(await secretsOf(caller.accountId, id)).toEqual([second, first]);
    const { secret: third } = (await rotate(caller, id)).body;
    expect(await secretsOf(caller.accountId, id)).toEqual([third, second]);
  });

  test('cannot be opened after a move to another account in the database', async () => {
    const { caller, id } = await newWebhook();
    const thief = await service.newCaller();
    await service.database.pool.query('update webhook_endpoints set account_id = $1 where id = $2', [
      thief.accountId,
      id,
    ]);
    await expect(secretsOf(thief.accountId, id)).rejects.toThrow('does not open');
    expect(await secretsOf(caller.accountId, id)).toHaveLength(1);
  });
});

describe('an address', () => {
  const refused = [
    'http://hooks.example.com/',
    'https://inside.example.com/',
    'https://half-inside.example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'https://user:password@hooks.example.com/',
    'https://hooks.example.com/#fragment',
    'https://hooks.example.com./',
    'ftp://hooks.example.com/',
    'hooks',
    '',
    `https://hooks.example.com/${'x'.repeat(2_000)}`,
  ];

  test.each(refused)('%s is refused at creation and as a change', async address => {
    const { caller, id } = await newWebhook();
    expectInvalid(await create(caller, { url: address }), ['#/url']);
    expectInvalid(await patch(caller, id, { url: address }), ['#/url']);
    expect(await list(caller)).toMatchObject([{ id, url }]);
  });

  test('is stored as it is called', async () => {
    const { body } = await create(await service.newCaller(), { url: 'HTTPS://Hooks.Example.com:443/a b' });
    expect(body.webhook.url).toBe('https://hooks.example.com/a%20b');
  });

  test('that does not resolve yet is accepted', async () => {
    const { body } = await create(await service.newCaller(), { url: 'https://soon.example.com/' });
    expect(body.webhook.url).toBe('https://soon.example.com/');
  });

  test('is not looked up for the id of a webhook that is not the caller’s', async () => {
    const { id } = await newWebhook();
    const stranger = await service.newCaller();
    const change = { url: 'https://asked-by-a-stranger.example.com/' };
    expectProblem(await patch(stranger, id, change), 'not_found');
    expect(asked).not.toContain('asked-by-a-stranger.example.com');
  });
});

describe('a request', () => {
  test.each<[what: string, body: object, fields: string[]]>([
    ['without an address', { types: ['report.completed'] }, ['#/url']],
    ['without types', { url }, ['#/types']],
    ['with an empty list of types', { url, types: [] }, ['#/types']],
    ['with an unknown type', { url, types: ['report.started'] }, ['#/types/0']],
    ['with a blank description', { url, types: ['balance.low'], description: ' ' }, ['#/description']],
    [
      'with a long description',
      { url, types: ['balance.low'], description: 'x'.repeat(201) },
      ['#/description'],
    ],
    ['with a secret of its own', { url, types: ['balance.low'], secret: 'whsec_x' }, ['#/secret']],
  ])('%s is refused', async (_what, body, fields) => {
    const caller = await service.newCaller();
    expectInvalid(await caller.post('/api/webhooks', body, session), fields);
    expect(await list(caller)).toEqual([]);
  });

  test('needs a session on every route', async () => {
    const { caller, id } = await newWebhook();
    const ask = (as: 'key' | 'nobody') => [
      caller.post('/api/webhooks', { url, types: ['balance.low'] }, { as }),
      caller.get('/api/webhooks', { as }),
      caller.patch(`/api/webhooks/${id}`, { status: 'disabled' }, { as }),
      caller.delete(`/api/webhooks/${id}`, { as }),
      caller.post(`/api/webhooks/${id}/secret`, undefined, { as }),
      caller.post(`/api/webhooks/${id}/test`, undefined, { as }),
      caller.get(`/api/webhooks/${id}/deliveries`, { as }),
      caller.post(`/api/webhooks/${id}/deliveries/${id}`, undefined, { as }),
    ];
    for (const answer of await Promise.all(ask('key'))) expectProblem(answer, 'session_required');
    for (const answer of await Promise.all(ask('nobody'))) expectProblem(answer, 'unauthenticated');
    expect(await list(caller)).toMatchObject([{ id, status: 'active' }]);
  });
});
