import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { idempotencyOf } from '../../api/purchases/idempotency.js';
import { operations } from '../../contract/operations.js';
import { saveEvent } from '../../db/reports/events.js';
import type { PurchaseRequest } from '../../purchase/purchase.js';
import { event, market } from '../council/fixtures.js';
import { bought, purchaseRequest, refund } from '../db/support/purchases.js';
import { ToolUser } from '../mcp/support/clients.js';
import { askForBatch } from '../support/ask-for-batch.js';
import { type Answer, type TestCaller, testPassword } from '../support/service/test-caller.js';
import { useTestBilling } from '../support/use-service.js';

/**
 * What one account has, asked for by another on every route of the OpenAPI document: the answer is the one for a thing
 * that does not exist, and the thing stays as it is.
 */

const asSession = { as: 'session' } as const;
const purchaseKey = 'the-order-of-the-owner';
const ordered = 'sample-fed-cut-2031';
const batchKey = { headers: { 'idempotency-key': 'the-batch-of-the-owner' } };
const dayMs = 24 * 3_600_000;

const billing = await useTestBilling();
/** Has something of every kind; the other one has an account, and nothing else. */
const owner = await billing.service.newCaller(1_000);
const stranger = await billing.service.newCaller();
const owned = await fillAccount();

async function fillAccount() {
  const now = Date.now();
  await billing.subscribed(owner, { from: new Date(now - dayMs), to: new Date(now + 29 * dayMs) });
  await owner.put('/api/provider-keys/openai', { key: 'sk-of-the-owner-0001' }, asSession);
  const { db } = billing.service.database;
  const utcDay = new Date(now).toISOString().slice(0, 10);
  const buy = async (title: string, more: Partial<PurchaseRequest> = {}) => {
    const eventId = `${title}-of-the-owner`;
    await saveEvent(db, event([market({ name: title })], { eventId }), new Date(now));
    const wanted = purchaseRequest({ accountId: owner.accountId, eventId, utcDay, ...more });
    return { ...wanted, ...(await bought(db, wanted, { now: new Date(now) })) };
  };
  const idempotency = idempotencyOf(purchaseKey, { event_id: ordered }, ordered);
  const running = await buy('running', { idempotency });
  const failed = await buy('failed');
  await refund(db, failed, new Date(now));
  const etag = (await owner.get(`/api/reports/${failed.reportId}`)).headers.get('etag') ?? '';
  const { keys } = (await owner.get('/api/keys', asSession)).body;
  const keyId: string = keys[0].id;
  const webhook = { url: 'https://hooks.example.com/of-the-owner', types: ['report.completed'] };
  const { body: created } = await owner.post('/api/webhooks', webhook, asSession);
  const webhookId: string = created.webhook.id;
  const { body: sent } = await owner.post(`/api/webhooks/${webhookId}/test`, undefined, asSession);
  const deliveryId: string = sent.delivery_id;
  const { body: batch } = await askForBatch(owner, { events: ['no-such-event'] }, batchKey);
  const ids = { keyId, webhookId, deliveryId, batchId: String(batch.batch_id) };
  return { running: running.reportId, ended: failed.reportId, etag, ...ids };
}

/** The same request for what the owner has, and for what nobody has. */
interface Pair {
  readonly theirs: () => Promise<Answer>;
  readonly nobodys: () => Promise<Answer>;
}

function pair<Name>(ask: (name: Name) => Promise<Answer>, theirs: Name, nobodys: Name): Pair {
  return { theirs: () => ask(theirs), nobodys: () => ask(nobodys) };
}

const unknownReport = 999_999_999_999;
const read =
  (headers: Record<string, string> = {}, as: 'key' | 'session' = 'key') =>
  (id: number) =>
    stranger.get(`/api/reports/${id}`, { headers, as });
const follow = (id: number) => stranger.get(`/api/reports/${id}/events`);
/** An order under a key, for the same event and with the same body as the owner's. */
const order = (key: string, caller = stranger) => caller.buy(ordered, {}, { 'idempotency-key': key });

/** A request for a webhook, by its path. */
const webhook = (ask: (path: string) => Promise<Answer>) =>
  pair(id => ask(`/api/webhooks/${id}`), owned.webhookId, randomUUID());
const own = await stranger.post(
  '/api/webhooks',
  { url: 'https://stranger.example.com/', types: ['report.failed'] },
  asSession,
);
/** A request for a batch, by its path. */
const batch = (ask: (path: string) => Promise<Answer>) =>
  pair(id => ask(`/api/batches/${id}`), owned.batchId, randomUUID());
/** A delivery, asked for at a webhook of the stranger's own. */
const strangersDelivery = (id: string) =>
  stranger.post(`/api/webhooks/${own.body.webhook.id}/deliveries/${id}`, undefined, asSession);

/** Operations that name an object of an account in their path, a header or their body, or that act on one. */
const pairs: Readonly<Record<string, readonly Pair[]>> = {
  getReport: [
    pair(read(), owned.ended, unknownReport),
    pair(read(), owned.running, unknownReport),
    pair(read({}, 'session'), owned.ended, unknownReport),
    pair(read({ prefer: 'wait=50' }), owned.ended, unknownReport),
    pair(read({ 'if-none-match': owned.etag }), owned.ended, unknownReport),
    pair(read({ 'if-none-match': '*' }), owned.ended, unknownReport),
  ],
  followReport: [pair(follow, owned.ended, unknownReport), pair(follow, owned.running, unknownReport)],
  getBatchResults: [batch(path => stranger.get(`${path}/results?format=csv`))],
  getBatchManifest: [batch(path => stranger.get(`${path}/manifest`))],
  followBatch: [batch(path => stranger.get(`${path}/events`))],
  revokeKey: [pair(id => stranger.delete(`/api/keys/${id}`, asSession), owned.keyId, randomUUID())],
  getProviderKey: [pair(name => stranger.get(`/api/provider-keys/${name}`, asSession), 'openai', 'xai')],
  deleteProviderKey: [
    pair(name => stranger.delete(`/api/provider-keys/${name}`, asSession), 'openai', 'xai'),
  ],
  updateWebhook: [
    webhook(path => stranger.patch(path, { status: 'disabled' }, asSession)),
    webhook(path => stranger.patch(path, { url: 'https://stranger.example.com/' }, asSession)),
  ],
  deleteWebhook: [webhook(path => stranger.delete(path, asSession))],
  rotateWebhookSecret: [webhook(path => stranger.post(`${path}/secret`, undefined, asSession))],
  testWebhook: [webhook(path => stranger.post(`${path}/test`, undefined, asSession))],
  listWebhookDeliveries: [webhook(path => stranger.get(`${path}/deliveries`, asSession))],
  repeatWebhookDelivery: [
    webhook(path => stranger.post(`${path}/deliveries/${owned.deliveryId}`, undefined, asSession)),
    pair(id => strangersDelivery(id), owned.deliveryId, randomUUID()),
  ],
  getBatch: [batch(path => stranger.get(path, { headers: { prefer: 'wait=50', 'if-none-match': '*' } }))],
  listBatchRows: [batch(path => stranger.get(`${path}/rows`))],
  updateBatch: [batch(path => stranger.patch(path, { status: 'cancelled' }))],
  retryBatch: [batch(path => stranger.post(`${path}/retry`, undefined))],
  createReport: [pair(key => order(key), purchaseKey, randomUUID())],
  listReports: [
    pair(
      query => stranger.get(`/api/reports${query}`),
      `?id=${owned.ended}&account_id=${owner.accountId}`,
      '',
    ),
  ],
  listLedger: [
    pair(query => stranger.get(`/api/credits/ledger${query}`), `?account_id=${owner.accountId}`, ''),
  ],
};

/** Operations that act on the one object that an account can have: the owner has it, the stranger has not. */
const ofAccount: Readonly<Record<string, (caller: TestCaller) => Promise<Answer>>> = {
  unsubscribe: caller => caller.delete('/api/billing/subscription', asSession),
  openBillingPortal: caller => caller.post('/api/billing/portal', {}, asSession),
};

/** Operations that answer every account with what is its own; none of them may have anything of the owner's. */
const lists: Readonly<Record<string, string>> = {
  listReports: '/api/reports',
  listLedger: '/api/credits/ledger',
  listKeys: '/api/keys',
  listProviderKeys: '/api/provider-keys',
  listWebhooks: '/api/webhooks',
  listBatches: '/api/batches',
  getBalance: '/api/credits/balance',
  getBillingStatus: '/api/billing/status',
};

/** Operations that name no object of an account, by what they name. */
const others: Readonly<Record<string, readonly string[]>> = {
  nothing: ['getPublicKeys', 'getHealth', 'getReadiness', 'getOpenApi', 'getPricing', 'listPacks'],
  'the session of the cookie': ['signOut', 'getSession', 'getSessionToken'],
  'the account of the session': ['subscribe'],
  'a new account, key, webhook or batch': ['signUp', 'mintKey', 'createWebhook', 'createBatch'],
  'an account, with its password or by the link in its mail': ['signIn', 'resetPassword', 'verifyEmail'],
  'an address, which gets the mail': ['sendVerificationEmail', 'requestPasswordReset'],
  'what Stripe has signed': ['receivePaymentEvent'],
  'a key of the account; see below': ['putProviderKey'],
  'what is public': [
    'buyCredits',
    'searchEvents',
    'getEvent',
    'getEventPrices',
    'checkReport',
    'getSampleReport',
  ],
  'the record, without accounts': [
    'getTrackRecord',
    'exportTrackRecord',
    'listRecordEntries',
    'listRecordTimestamps',
  ],
};

const withoutId = ({ status, body, headers }: Answer) => {
  const { request_id: _id, ...rest } = body ?? {};
  expectUncached(headers);
  return { status, body: rest, etag: headers.get('etag'), retryAfter: headers.get('retry-after') };
};

/** No cache keeps what one account is answered. */
const expectUncached = (headers: Headers) => expect(headers.get('cache-control')).toBe('private, no-store');

test('every operation of the document has a case here', () => {
  const named = [pairs, ofAccount, lists].flatMap(Object.keys);
  const cases = new Set([...named, ...Object.values(others).flat()]);
  const ids = Object.keys(operations);
  expect(ids.filter(id => !cases.has(id))).toEqual([]);
  expect([...cases].filter(id => !ids.includes(id))).toEqual([]);
});

test('an operation whose path names more than an event is asked for both', () => {
  const named = Object.entries(operations).filter(([, { path }]) => /\{(?!event_id\})/.test(path));
  const asked = named.map(([id]) => id).filter(id => id !== 'putProviderKey');
  expect(asked.filter(id => pairs[id] === undefined)).toEqual([]);
});

describe('an account that asks for what another has', () => {
  test.each(Object.keys(pairs))('by %s gets the answer for what does not exist', async operation => {
    for (const { theirs, nobodys } of pairs[operation] ?? [])
      expect(withoutId(await theirs())).toEqual(withoutId(await nobodys()));
  });

  test.each(Object.keys(ofAccount))('by %s gets the answer of an account without it', async operation => {
    const answer = (await ofAccount[operation]?.(stranger)) as Answer;
    expectUncached(answer.headers);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test.each(Object.entries(lists))('by %s reads nothing of it', async (_operation, path) => {
    const { status, body, headers } = await stranger.get(path, asSession);
    expect(status).toBe(200);
    expectUncached(headers);
    const text = JSON.stringify(body);
    const ids = [owned.keyId, owned.webhookId, owner.email, owner.accountId];
    for (const mark of [...ids, 'of-the-owner', '0001', 'openai']) expect(text).not.toContain(mark);
    expect(body).not.toMatchObject({ plan: 'subscription' });
  });

  test('by HEAD gets what a report that does not exist gives', async () => {
    const head = (id: number) =>
      fetch(`${billing.service.url}/api/reports/${id}`, {
        method: 'HEAD',
        headers: { 'x-api-key': stranger.key },
      });
    const [theirs, nobodys] = [await head(owned.ended), await head(unknownReport)];
    const length = (answer: Response) => answer.headers.get('content-length');
    expect([theirs.status, length(theirs)]).toEqual([nobodys.status, length(nobodys)]);
  });

  test('by a tool of assistants gets the answer for what does not exist', async () => {
    const user = await ToolUser.overHttp(billing.service.url, { 'x-api-key': stranger.key });
    const answer = async (report_id: number) => {
      const { data } = await user.call('get_report', { report_id });
      return { ...data, request_id: null };
    };
    expect(await answer(owned.ended)).toEqual(await answer(unknownReport));
    await user.close();
  });

  test('with its own cookie ends no session of the other, nor reads it', async () => {
    const origin = billing.service.url;
    const signIn = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: owner.email, password: testPassword }),
    });
    const { token }: any = await signIn.json();
    const post = (path: string, body: object) =>
      fetch(`${origin}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: stranger.cookie, origin },
        body: JSON.stringify(body),
      });
    const revoke = async (which: string) => {
      const answer = await post('revoke-session', { token: which });
      return [answer.status, answer.ok ? await answer.text() : ''];
    };
    expect(await revoke(token)).toEqual(await revoke('AnotherTokenThatNobodyHas0000000'));
    const headers = { cookie: stranger.cookie };
    const sessions = await fetch(`${origin}/api/auth/list-sessions`, { headers });
    expect(await sessions.text()).not.toContain(token);
    const { pool } = billing.service.database;
    const { rows } = await pool.query('select from auth.session where token = $1', [token]);
    expect(rows).toHaveLength(1);
  });

  test('by storing a key for the same provider changes only its own', async () => {
    await stranger.put('/api/provider-keys/openai', { key: 'sk-of-a-stranger-0002' }, asSession);
    expect((await owner.get('/api/provider-keys/openai', asSession)).body.last4).toBe('0001');
    expect((await stranger.get('/api/provider-keys/openai', asSession)).body.last4).toBe('0002');
  });
});

test('the other has everything it had', async () => {
  expect((await owner.get(`/api/reports/${owned.ended}`)).status).toBe(200);
  expect(await order(purchaseKey, owner)).toMatchObject({ body: { report_id: owned.running } });
  expect((await owner.get('/api/provider-keys', asSession)).body.provider_keys).toHaveLength(1);
  expect((await owner.get('/api/keys', asSession)).body.keys).toHaveLength(1);
  expect((await owner.get('/api/webhooks', asSession)).body.webhooks).toMatchObject([
    { id: owned.webhookId, url: 'https://hooks.example.com/of-the-owner', status: 'active' },
  ]);
  const { deliveries } = (await owner.get(`/api/webhooks/${owned.webhookId}/deliveries`, asSession)).body;
  expect(deliveries).toMatchObject([{ id: owned.deliveryId }]);
  expect((await owner.get('/api/billing/status')).body).toMatchObject({
    plan: 'subscription',
    cancel_at_period_end: false,
  });
});
