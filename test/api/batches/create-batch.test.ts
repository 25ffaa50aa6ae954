import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { batchRowsMax, keptRowsPerDayPerAccount } from '../../../purchase/limits.js';
import { batchWorkflowId } from '../../../workflows/batch-interface.js';
import { askForBatch } from '../../support/ask-for-batch.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { useTestService } from '../../support/use-service.js';
import { manyIds } from '../../workflows/support/many-events.js';

const nowhere = 'http://127.0.0.1:9';
const service = await useTestService({
  worker: false,
  venueSettings: {
    MARKETS: ['polymarket', 'kalshi'],
    POLYMARKET_GAMMA_URL: nowhere,
    POLYMARKET_DATA_URL: nowhere,
    POLYMARKET_CLOB_URL: nowhere,
    KALSHI_API_URL: nowhere,
  },
});
const { pool } = service.database;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const storedBatches = async (accountId: string) =>
  (await pool.query('select id from batches where account_id = $1', [accountId])).rows.length;

describe('a new batch', () => {
  test('is stored with its rows in their order, and its workflow runs', async () => {
    const caller = await service.newCaller(1_000);
    const answer = await askForBatch(
      caller,
      {
        name: '  March ',
        events: ['321', 'kalshi:kxfed-26dec', 'polymarket:45', 'KALSHI:KXCPI-26'],
        budget_credits: 500,
        max_credits_each: 150,
        min_members: 3,
        max_in_flight: 2,
      },
      { as: 'session' },
    );
    expect(answer.status).toBe(201);
    const { batch_id: id, ...batch } = answer.body;
    expect(answer.headers.get('location')).toBe(`/api/batches/${id}`);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    expect(batch).toEqual({
      name: 'March',
      status: 'running',
      paused_reason: null,
      paused_member: null,
      resumes_at: null,
      lane: 'credits',
      rows: { total: 4, waiting: 4, running: 0, completed: 0, failed: 0, refused: 0 },
      credits: { budget: 500, spent: 0 },
      max_credits_each: 150,
      min_members: 3,
      max_in_flight: 2,
      api_key_id: null,
      created_at: timestamp,
      ended_at: null,
    });
    expect((await caller.get(`/api/batches/${id}`)).body).toEqual(answer.body);
    const { rows, next } = (await caller.get(`/api/batches/${id}/rows`)).body;
    expect(rows[0]).toEqual({
      position: 1,
      event_id: '321',
      state: 'waiting',
      kind: null,
      report_id: null,
      credits: 0,
      code: null,
    });
    expect(rows.map(({ event_id }: { event_id: string }) => event_id)).toEqual([
      '321',
      'kalshi:KXFED-26DEC',
      '45',
      'kalshi:KXCPI-26',
    ]);
    expect(next).toBeNull();
    const workflow = service.temporal.workflow.getHandle(batchWorkflowId(id));
    expect((await workflow.describe()).status.name).toBe('RUNNING');
  });

  test('has two opinions, ten in flight and the key of its request, unless it says otherwise', async () => {
    const caller = await service.newCaller(1_000);
    const { body } = await askForBatch(caller, { events: ['1'] });
    const { keys } = (await caller.get('/api/keys', { as: 'session' })).body;
    expect(body).toMatchObject({
      name: null,
      min_members: 2,
      max_in_flight: 10,
      max_credits_each: null,
      api_key_id: keys[0].id,
    });
  });
});

describe('the key of a request', () => {
  test('is required', async () => {
    const caller = await service.newCaller(1_000);
    const body = { events: ['1'], lane: 'credits', budget_credits: 100 };
    for (const dry_run of [false, true]) {
      expectInvalid(await caller.post('/api/batches', { ...body, dry_run }), ['Idempotency-Key']);
    }
    for (const key of [' ', 'k'.repeat(256)]) {
      const headers = { 'idempotency-key': key };
      expectInvalid(await askForBatch(caller, { events: ['1'] }, { headers }), ['Idempotency-Key']);
    }
    expect(await storedBatches(caller.accountId)).toBe(0);
  });

  test('returns the same batch for the same request, in other words too', async () => {
    const caller = await service.newCaller(1_000);
    const headers = { 'idempotency-key': 'once' };
    const first = await askForBatch(caller, { events: ['12', 'kalshi:A'] }, { headers });
    const same = { dry_run: false, max_in_flight: 10, min_members: 2, events: ['polymarket:12', 'kalshi:a'] };
    const again = await askForBatch(caller, same, { headers });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await storedBatches(caller.accountId)).toBe(1);
  });

  test.each([
    { budget_credits: 99 },
    { events: ['12'] },
    { events: ['kalshi:A', '12'] },
    { name: 'other' },
    { lane: 'credits', max_credits_each: 5 },
    { min_members: 4 },
    { max_in_flight: 9 },
  ])('is refused for another request: %j', async other => {
    const caller = await service.newCaller(1_000);
    const headers = { 'idempotency-key': 'once' };
    const events = ['12', 'kalshi:A'];
    await askForBatch(caller, { events }, { headers });
    expectProblem(await askForBatch(caller, { events, ...other }, { headers }), 'idempotency_mismatch');
    expect(await storedBatches(caller.accountId)).toBe(1);
  });

  test('is the key of one account', async () => {
    const headers = { 'idempotency-key': 'common' };
    const [one, other] = [await service.newCaller(1_000), await service.newCaller(1_000)];
    const first = await askForBatch(one, { events: ['1'] }, { headers });
    const second = await askForBatch(other, { events: ['1'] }, { headers });
    expect(second.status).toBe(201);
    expect(second.body.batch_id).not.toBe(first.body.batch_id);
  });
});

describe('a batch is refused', () => {
  test.each<[why: string, body: object, pointers: string[]]>([
    ['without events', { events: [] }, ['#/events']],
    ['with too many', { events: manyIds(batchRowsMax + 1) }, ['#/events']],
    [
      'with what is no id',
      { events: ['1', 'a b', '', 'x'.repeat(201)] },
      ['#/events/1', '#/events/2', '#/events/3'],
    ],
    ['with what is no text', { events: ['1', 2] }, ['#/events/1']],
    [
      'with a venue that is not read',
      { events: ['sample:1', '2', 'metaculus:3', 'kalshi:'] },
      ['#/events/0', '#/events/2', '#/events/3'],
    ],
    [
      'with an event twice',
      { events: ['1', 'kalshi:b', 'polymarket:1', 'Kalshi:B', '2'] },
      ['#/events/2', '#/events/3'],
    ],
    ['on the subscription', { events: ['1'], lane: 'subscription' }, ['#/lane']],
    ['without a lane', { events: ['1'], lane: undefined }, ['#/lane']],
    ['without a budget', { events: ['1'], budget_credits: undefined }, ['#/budget_credits']],
    ['with no budget', { events: ['1'], budget_credits: 0 }, ['#/budget_credits']],
    ['with too high a budget', { events: ['1'], budget_credits: 10_000_001 }, ['#/budget_credits']],
    ['with half a credit', { events: ['1'], max_credits_each: 0.5 }, ['#/max_credits_each']],
    ['with free reports only', { events: ['1'], max_credits_each: 0 }, ['#/max_credits_each']],
    ['with one opinion', { events: ['1'], min_members: 1 }, ['#/min_members']],
    ['with too many in flight', { events: ['1'], max_in_flight: 21 }, ['#/max_in_flight']],
    ['with none in flight', { events: ['1'], max_in_flight: 0 }, ['#/max_in_flight']],
    ['with a blank name', { events: ['1'], name: ' ' }, ['#/name']],
    ['with a long name', { events: ['1'], name: 'n'.repeat(201) }, ['#/name']],
    ['with a dry run that is no truth value', { events: ['1'], dry_run: 'yes' }, ['#/dry_run']],
    ['with an unknown field', { events: ['1'], budget: 5 }, ['#/budget']],
  ])('%s', async (_, body, pointers) => {
    const caller = await service.newCaller(1_000);
    expectInvalid(await askForBatch(caller, body), pointers);
    expect(await storedBatches(caller.accountId)).toBe(0);
  });

  test('to a key that may only read, which still reads batches', async () => {
    const caller = await service.newCaller(1_000);
    const { body } = await askForBatch(caller, { events: ['1'] });
    const minted = await caller.post('/api/keys', { name: 'r', scope: 'read' }, { as: 'session' });
    const reading = { as: 'nobody', headers: { 'x-api-key': minted.body.key } } as const;
    const path = `/api/batches/${body.batch_id}`;
    expectProblem(await askForBatch(caller, { events: ['2'] }, reading), 'scope_insufficient');
    expectProblem(await askForBatch(caller, { events: ['2'], dry_run: true }, reading), 'scope_insufficient');
    expectProblem(await caller.patch(path, { status: 'cancelled' }, reading), 'scope_insufficient');
    expectProblem(await caller.post(`${path}/retry`, undefined, reading), 'scope_insufficient');
    for (const read of [path, `${path}/rows`, '/api/batches'])
      expect((await caller.get(read, reading)).status).toBe(200);
  });

  test('to nobody, to a suspended account, and on a lane that is not set up', async () => {
    const caller = await service.newCaller(1_000);
    expectProblem(await askForBatch(caller, { events: ['1'] }, { as: 'nobody' }), 'unauthenticated');
    const withoutKeys = await askForBatch(caller, { events: ['1'], lane: 'byok' });
    expectProblem(withoutKeys, 'lane_unavailable');
    expect(withoutKeys.body.missing.length).toBeGreaterThan(0);
    await pool.query(`update accounts set suspended_at = now(), suspended_because = 'test' where id = $1`, [
      caller.accountId,
    ]);
    for (const dry_run of [true, false]) {
      expectProblem(await askForBatch(caller, { events: ['1'], dry_run }), 'account_suspended');
    }
    expect(await storedBatches(caller.accountId)).toBe(0);
  });

  test('after a hundred in a day, until the oldest is a day old', async () => {
    const caller = await service.newCaller(1_000);
    await pool.query(
      `insert into batches (id, account_id, lane, budget_credits, min_members, max_in_flight, idempotency_key, fingerprint,
         created_at, running_since)
       select gen_random_uuid(), $1, 'credits', 1, 2, 1, n::text, 'f', at, at
       from generate_series(1, $2::int) as n, lateral (select now() - interval '23 hours' + n * interval '1 second') as time (at)`,
      [caller.accountId, keptRowsPerDayPerAccount],
    );
    const refused = await askForBatch(caller, { events: ['1'] });
    expectProblem(refused, 'rate_limited');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3_000);
    expect(seconds).toBeLessThanOrEqual(3_602);
    expect((await askForBatch(caller, { events: ['1'], dry_run: true })).status).toBe(200);
    service.clock.offsetMs = (seconds + 5) * 1_000;
    try {
      expect((await askForBatch(caller, { events: ['1'] }, { as: 'key' })).status).toBe(201);
    } finally {
      service.clock.offsetMs = 0;
    }
  });
});

test('batches are listed newest first, a page at a time, to their account only', async () => {
  const [caller, stranger] = [await service.newCaller(1_000), await service.newCaller(1_000)];
  const created: string[] = [];
  for (const events of [['1'], ['2'], ['3']])
    created.unshift((await askForBatch(caller, { events })).body.batch_id);
  const ids = ({ body }: { body: { batches: { batch_id: string }[] } }) =>
    body.batches.map(({ batch_id }) => batch_id);
  const first = await caller.get('/api/batches?per_page=2');
  expect(first.body).toMatchObject({ page: 1, per_page: 2, total: 3 });
  expect(ids(first)).toEqual(created.slice(0, 2));
  expect(ids(await caller.get('/api/batches?per_page=2&page=2'))).toEqual(created.slice(2));
  expectInvalid(await caller.get('/api/batches?page=0'), ['page']);
  expect((await stranger.get('/api/batches')).body).toMatchObject({ batches: [], total: 0 });
});

test('rows are read after a position, and by their state', async () => {
  const caller = await service.newCaller(1_000);
  const events = manyIds(5);
  const { batch_id: id } = (await askForBatch(caller, { events })).body;
  const rows = async (query: string) => (await caller.get(`/api/batches/${id}/rows${query}`)).body;
  const positions = (page: { rows: { position: number }[] }) => page.rows.map(({ position }) => position);
  const first = await rows('?limit=2');
  expect([positions(first), first.next]).toEqual([[1, 2], 2]);
  const last = await rows(`?limit=3&after=${first.next}`);
  expect([positions(last), last.next]).toEqual([[3, 4, 5], null]);
  expect(await rows('?after=5')).toEqual({ rows: [], next: null });
  expect(positions(await rows('?state=waiting&after=3'))).toEqual([4, 5]);
  expect(await rows('?state=completed')).toEqual({ rows: [], next: null });
  const invalid = await caller.get(`/api/batches/${id}/rows?state=bought&after=501&limit=0`);
  expectInvalid(invalid, ['state', 'after', 'limit']);
});

test('the batch of another account is as one that does not exist', async () => {
  const [owner, stranger] = [await service.newCaller(1_000), await service.newCaller(1_000)];
  const { batch_id: owned } = (await askForBatch(owner, { events: ['1'] })).body;
  for (const id of [owned, randomUUID(), 'no-uuid']) {
    for (const path of [`/api/batches/${id}`, `/api/batches/${id}/rows`])
      expectProblem(await stranger.get(path), 'not_found');
    expectProblem(await stranger.patch(`/api/batches/${id}`, { status: 'cancelled' }), 'not_found');
  }
  for (const id of [owned, randomUUID()])
    expectProblem(await stranger.post(`/api/batches/${id}/retry`, undefined), 'not_found');
  expect((await owner.get(`/api/batches/${owned}`)).body.status).toBe('running');
});
