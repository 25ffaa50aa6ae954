import { describe, expect, test } from '@jest/globals';
import { askForBatch } from '../../support/ask-for-batch.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useUpGrants } from '../../support/service/use-up-grants.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { manyEvents, manyIds } from '../../workflows/support/many-events.js';

const service = await useTestService({ markets: manyEvents() });

async function started(caller: TestCaller, body: object): Promise<string> {
  const answer = await askForBatch(caller, body);
  expect(answer.status).toBe(201);
  return answer.body.batch_id;
}

const read = async (caller: TestCaller, id: string) => (await caller.get(`/api/batches/${id}`)).body;
const change = (caller: TestCaller, id: string, body: object) => caller.patch(`/api/batches/${id}`, body);

/** Waits as a client does: held, and with the version that it has. */
async function untilHeld(caller: TestCaller, id: string): Promise<any> {
  for (let etag = ''; ; ) {
    const headers = { prefer: 'wait=20', ...(etag === '' ? {} : { 'if-none-match': etag }) };
    const answer = await caller.get(`/api/batches/${id}`, { headers });
    expect(answer.headers.get('preference-applied')).toBe('wait=20');
    etag = answer.headers.get('etag') ?? '';
    if (answer.status === 200 && answer.body.status !== 'running') return answer.body;
  }
}

describe('a batch that runs', () => {
  test('is bought to its end: each row with its report, its kind and its credits', async () => {
    const caller = await service.newCaller(10_000);
    const [owned = '', ...fresh] = manyIds(3);
    await caller.run(owned);
    const before = await caller.balance();
    const id = await started(caller, { events: [owned, ...fresh, 'no-such-event'] });
    const batch = await untilHeld(caller, id);
    expect(batch).toMatchObject({
      status: 'completed',
      paused_reason: null,
      rows: { total: 4, waiting: 0, running: 0, completed: 3, failed: 0, refused: 1 },
      ended_at: expect.any(String),
    });
    expect(batch.credits.spent).toBe(before - (await caller.balance()));
    const { rows } = (await caller.get(`/api/batches/${id}/rows`)).body;
    expect(rows).toMatchObject([
      { kind: 'owned', credits: 0, state: 'completed', code: null },
      { kind: 'fresh', state: 'completed', code: null },
      { kind: 'fresh', state: 'completed', code: null },
      { kind: null, state: 'refused', code: 'event_not_found', report_id: null, credits: 0 },
    ]);
    for (const { report_id, event_id } of rows.slice(0, 3))
      expect((await caller.get(`/api/reports/${report_id}`)).body.event_id).toBe(event_id);
  });

  test('has another version at each change, and is held until there is one', async () => {
    const caller = await service.newCaller(10_000);
    const release = service.simulator.hold({});
    try {
      const id = await started(caller, { events: manyIds(1, 20) });
      const running = await until(
        'its row runs',
        () => caller.get(`/api/batches/${id}`),
        ({ body }) => body.rows.running === 1,
      );
      const etag = running.headers.get('etag') ?? '';
      const ask = (headers: Record<string, string>) => caller.get(`/api/batches/${id}`, { headers });
      expect(await ask({ 'if-none-match': etag })).toMatchObject({ status: 304, body: null });
      expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200);
      expect((await ask({ 'if-none-match': '"another"', prefer: 'wait=50' })).status).toBe(200);
      const held = await ask({ 'if-none-match': etag, prefer: 'wait=1' });
      expect(held.status).toBe(304);
      expect(held.headers.get('preference-applied')).toBe('wait=1');
      const waiting = ask({ prefer: 'wait=50' });
      const waitingWithTag = ask({ 'if-none-match': etag, prefer: 'wait=50' });
      release();
      for (const answer of [await waiting, await waitingWithTag]) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get('etag')).not.toBe(etag);
        expect(answer.body.rows.running).toBe(0);
      }
      await untilHeld(caller, id);
      const ended = await ask({ prefer: 'wait=50' });
      expect(ended.body.status).toBe('completed');
    } finally {
      release();
    }
  });

  test('may be held ten times for an account', async () => {
    const caller = await service.newCaller(10_000);
    const id = await started(caller, { events: ['no-such-event'], budget_credits: 1 });
    await untilHeld(caller, id);
    await service.database.pool.query(
      `update batches set status = 'running', ended_at = null where id = $1`,
      [id],
    );
    const held = Array.from({ length: 11 }, () =>
      caller.get(`/api/batches/${id}`, { headers: { prefer: 'wait=3' } }),
    );
    const answers = await Promise.all(held);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const answer of refused) expectProblem(answer, 'rate_limited');
  });
});

describe('a change', () => {
  test('pauses a batch, raises its budget, lets it go on and cancels it', async () => {
    const caller = await service.newCaller(100_000);
    const release = service.simulator.hold({});
    try {
      const id = await started(caller, { events: manyIds(4, 40), max_in_flight: 1 });
      await until(
        'its first row runs',
        () => read(caller, id),
        ({ rows }) => rows.running === 1,
      );
      const paused = await change(caller, id, { status: 'paused' });
      expect(paused.status).toBe(200);
      expect(paused.body).toMatchObject({ status: 'paused', paused_reason: 'asked', rows: { running: 1 } });
      const { spent } = paused.body.credits;
      expect(spent).toBeGreaterThan(0);
      expectInvalid(await change(caller, id, { budget_credits: spent - 1 }), ['#/budget_credits']);
      const lowest = await change(caller, id, { budget_credits: spent });
      expect(lowest.body).toMatchObject({ status: 'paused', credits: { budget: spent, spent } });
      const none = await change(caller, id, {});
      expect(none.body).toEqual(lowest.body);
      const on = await change(caller, id, { budget_credits: 50_000, status: 'running' });
      expect(on.body).toMatchObject({ status: 'running', paused_reason: null, credits: { budget: 50_000 } });
      const cancelled = await change(caller, id, { status: 'cancelled' });
      expect(cancelled.body).toMatchObject({ status: 'cancelled', ended_at: expect.any(String) });
      expect((await change(caller, id, { status: 'cancelled' })).body.status).toBe('cancelled');
      expectInvalid(await change(caller, id, { status: 'running' }), ['#']);
      expectInvalid(await change(caller, id, { budget_credits: 60_000 }), ['#']);
      expectInvalid(await caller.post(`/api/batches/${id}/retry`, undefined), ['#']);
      release();
      const { rows } = await until(
        'what runs has ended',
        () => read(caller, id),
        batch => batch.rows.running === 0,
      );
      expect(rows).toMatchObject({ completed: 1, waiting: 3 });
    } finally {
      release();
    }
  });

  test.each<[body: object, pointers: string[]]>([
    [{ status: 'completed' }, ['#/status']],
    [{ budget_credits: 0 }, ['#/budget_credits']],
    [{ budget_credits: '5' }, ['#/budget_credits']],
    [{ name: 'other', events: [] }, ['#/events', '#/name']],
  ])('is refused: %j', async (body, pointers) => {
    const caller = await service.newCaller();
    const id = await started(caller, { events: ['no-such-event'] });
    expectInvalid(await change(caller, id, body), pointers);
  });

  test('of a budget that is too small lets the batch go on, and a retry buys what was refused', async () => {
    const caller = await service.newCaller(10_000);
    const events = manyIds(2, 60);
    const { body: check } = await caller.get(`/api/reports/check/${events[0]}`);
    const cost: number = check.cost_credits;
    const id = await started(caller, { events, budget_credits: cost - 1 });
    expect(await untilHeld(caller, id)).toMatchObject({ status: 'paused', paused_reason: 'budget' });
    await change(caller, id, { budget_credits: 5_000 });
    expect(await untilHeld(caller, id)).toMatchObject({ status: 'completed', rows: { completed: 2 } });

    const [event = ''] = manyIds(1, 70);
    const limited = await started(caller, { events: [event], max_credits_each: 1 });
    expect(await untilHeld(caller, limited)).toMatchObject({ rows: { refused: 1 } });
    await service.database.pool.query('update batches set max_credits_each = null where id = $1', [limited]);
    const retried = await caller.post(`/api/batches/${limited}/retry`, undefined);
    expect(retried.status).toBe(200);
    expect(retried.body).toMatchObject({ status: 'running', ended_at: null, rows: { refused: 0 } });
    expect(await untilHeld(caller, limited)).toMatchObject({ status: 'completed', rows: { completed: 1 } });
  });
});

describe('a row', () => {
  test('uses up no fresh run of the hour, and those use up none of the rows', async () => {
    const caller = await service.newCaller(100_000);
    const singles = manyIds(5, 200);
    const id = await started(caller, { events: manyIds(7, 210) });
    expect(await untilHeld(caller, id)).toMatchObject({ rows: { completed: 7 } });
    for (const single of singles) expect((await caller.buy(single)).status).toBe(202);
    expectProblem(await caller.buy('many-299'), 'run_limit_exceeded');
    const second = await started(caller, { events: manyIds(2, 220) });
    expect(await untilHeld(caller, second)).toMatchObject({ rows: { completed: 2 } });
  });

  test('is not paid by a weekly grant, which stays', async () => {
    const caller = await service.newCaller(0, { weeklyGrant: true });
    const id = await started(caller, { events: manyIds(1, 240) });
    expect(await untilHeld(caller, id)).toMatchObject({ status: 'paused', paused_reason: 'balance' });
    const { body } = await caller.get('/api/credits/balance');
    expect(body.weekly_grant.available).toBe(true);
    await useUpGrants(service.database.db, caller.accountId, new Date());
  });
});
