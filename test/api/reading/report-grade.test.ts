import { expect, test } from '@jest/globals';
import type { MarketEvent, Resolution } from '../../../council/event.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { useTestService } from '../../support/use-service.js';

const events = createSampleEventCopies();
let resolution: Resolution = 'unresolved';

const service = await useTestService({ markets: events });

const told = (event: MarketEvent): MarketEvent => {
  const status = resolution === 'unresolved' ? 'open' : 'closed';
  return { ...event, status, markets: event.markets.map(market => ({ ...market, status, resolution })) };
};

test('a report shows its grade once its event is resolved, and the correction when there is one', async () => {
  const eventId = events.retell('sample-fed-cut-2031', told);
  const caller = await service.newCaller(1_000);
  const { body } = await caller.buy(eventId);
  await caller.untilEnded(body.report_id);
  const read = () => caller.get(`/api/reports/${body.report_id}`);
  const grade = async () => (await startBatch(service, { kind: 'event', eventId })).result();

  const ungraded = await read();
  expect(ungraded.body.grade).toBeNull();
  expect(ungraded.body.record).toMatchObject({ seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await grade()).toMatchObject({ graded: 0, pending: 1, failed: 0 });

  resolution = 'yes';
  expect(await grade()).toMatchObject({ graded: 1, failed: 0 });
  const graded = await read();
  const percent = graded.body.council_config.runtime.market_probabilities.Yes;
  expect(graded.body.grade).toMatchObject({ state: 'graded', corrected: false, grader: 'grader/1' });
  expect(graded.body.grade.scores.council.brier).toBeCloseTo(2 * (1 - percent / 100) ** 2, 9);
  expect(graded.headers.get('etag')).not.toBe(ungraded.headers.get('etag'));
  const readUnless = ({ headers }: { headers: Headers }) =>
    caller.get(`/api/reports/${body.report_id}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect((await readUnless(ungraded)).status).toBe(200);
  expect((await readUnless(graded)).status).toBe(304);
  // Grading again changes nothing.
  expect(await grade()).toMatchObject({ graded: 0, unchanged: 1 });

  resolution = 'no';
  expect(await grade()).toMatchObject({ graded: 1, failed: 0 });
  const corrected = await read();
  expect(corrected.body.grade).toMatchObject({ state: 'graded', corrected: true });
  expect((await readUnless(graded)).status).toBe(200);
  expect((await readUnless(corrected)).status).toBe(304);
  expect(corrected.body.grade.scores.council.brier).toBeCloseTo(2 * (percent / 100) ** 2, 9);

  const record = (await caller.get('/api/stats/track-record', { as: 'nobody' })).body;
  expect(record.counts).toMatchObject({ completed: 1, graded: 1, pending: 0 });
  expect(record.council.brier).toBeCloseTo(corrected.body.grade.scores.council.brier, 12);
  expect(record.record).toEqual({ entries: 1, head: corrected.body.record.hash });
  expect(record.verdict_text).toMatch(/collecting/);
});
