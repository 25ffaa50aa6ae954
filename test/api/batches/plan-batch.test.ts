import { expect, test } from '@jest/globals';
import { batchDryRunsPerMinute, batchRowsMax } from '../../../purchase/limits.js';
import { askForBatch } from '../../support/ask-for-batch.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';
import { manyEvents, manyIds } from '../../workflows/support/many-events.js';

const service = await useTestService({ markets: manyEvents() });
const { pool } = service.database;

const plan = (caller: TestCaller, body: object) => askForBatch(caller, { ...body, dry_run: true });
const counts = async () =>
  (
    await pool.query(
      `select (select count(*) from batches) as batches, (select count(*) from batch_rows) as rows,
         (select count(*) from report_purchases) as purchases, (select count(*) from events) as events`,
    )
  ).rows[0];

test('a dry run says what each report would cost now, and stores nothing', async () => {
  const caller = await service.newCaller(10_000, { weeklyGrant: true });
  const other = await service.newCaller(10_000);
  const [owned = '', shared = '', closed = '', unread = ''] = manyIds(4);
  for (const id of [owned, shared, closed]) await other.run(id);
  await caller.run(owned, { lane: 'credits' });
  await pool.query(
    `update events set event = jsonb_set(event::jsonb, '{status}', '"closed"')::json where event_id = $1`,
    [closed],
  );
  const { body: check } = await other.get(`/api/reports/check/${unread}`);
  const fresh: number = check.cost_credits;
  const cached: number = check.pricing.cached_credits;
  const before = await counts();
  const answer = await plan(caller, {
    events: [unread, owned, shared, closed, 'never-heard-of'],
    budget_credits: 9_000,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('location')).toBeNull();
  expect(answer.body).toEqual({
    rows: [
      { event_id: unread, kind: 'fresh', credits: fresh },
      { event_id: owned, kind: 'owned', credits: 0 },
      { event_id: shared, kind: 'cached', credits: cached },
      { event_id: closed, kind: 'refused', credits: 0, code: 'event_closed' },
      { event_id: 'never-heard-of', kind: 'fresh', credits: fresh },
    ],
    credits: { expected: 2 * fresh + cached, at_most: 9_000 },
  });
  expect(await counts()).toEqual(before);
});

test('limits of the batch and of the account show in the rows', async () => {
  const poor = await service.newCaller(5);
  const [first = '', second = ''] = manyIds(2, 100);
  const { body: check } = await poor.get(`/api/reports/check/${first}`);
  const fresh: number = check.pricing.fresh_credits;
  const held = { kind: 'fresh', credits: fresh, code: 'insufficient_credits' };
  const events = [first, second];
  const planned = await plan(poor, { events, max_credits_each: fresh + 1 });
  expect(planned.body).toMatchObject({
    rows: [held, held],
    credits: { expected: 2 * fresh, at_most: 2 * fresh + 2 },
  });
  const rich = await service.newCaller(10_000);
  const tooDear = { kind: 'refused', credits: 0, code: 'quote_expired' };
  expect((await plan(rich, { events, max_credits_each: fresh - 1 })).body).toMatchObject({
    rows: [tooDear, tooDear],
    credits: { expected: 0, at_most: 0 },
  });
  expect((await plan(rich, { events, budget_credits: fresh - 1 })).body.rows).toMatchObject([held, held]);
  expect((await plan(rich, { events, budget_credits: fresh })).body).toMatchObject({
    rows: [{ kind: 'fresh' }, { kind: 'fresh' }],
    credits: { expected: 2 * fresh, at_most: fresh },
  });
});

test('a key of a dry run can be used for a batch, and dry runs of a minute are limited', async () => {
  const caller = await service.newCaller(10_000);
  const headers = { 'idempotency-key': 'plan-then-buy' };
  const events = manyIds(batchRowsMax, 1_000);
  const planned = await askForBatch(caller, { events, dry_run: true }, { headers });
  expect(planned.body.rows).toHaveLength(batchRowsMax);
  const created = await askForBatch(caller, { events: ['no-such-event'] }, { headers });
  expect(created.status).toBe(201);
  for (let count = 1; count < batchDryRunsPerMinute; count++)
    expect((await plan(caller, { events: ['many-1'] })).status).toBe(200);
  expectProblem(await plan(caller, { events: ['many-1'] }), 'rate_limited');
  expect((await askForBatch(caller, { events: ['no-such-event'] })).status).toBe(201);
});
