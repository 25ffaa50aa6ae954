import { expect, test } from '@jest/globals';
import type { FinalWord } from '../../../council/market/final-word.js';
import { saveResolution } from '../../../db/track-record/resolutions.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ researchDeadlineMs: 60_000 });
const caller = await service.newCaller(10_000);
const eventId = 'sample-calder-mayor-2031';

const read = (id: number, headers: Record<string, string> = {}) =>
  send(`${service.url}/api/reports/${id}`, { headers: { 'x-api-key': caller.key, ...headers } });

test('a grade by prices keeps its ETag until the venue says who decided, and then changes in nothing else', async () => {
  const { id } = await caller.run(eventId);
  const sold = await createSampleEventSource().get(eventId);
  const outcomes = Object.fromEntries(
    (sold?.markets ?? []).map(({ marketId }) => [marketId, 'void' as const]),
  );
  const { rows } = await service.database.pool.query(
    `with resolved as (
       insert into resolutions (event_id, outcomes, evidence, observed_at)
       values ($1, $2, '{}', '2031-01-05T12:00:00Z') returning id)
     insert into grades (report_id, resolution_id, grader, state, graded_at)
     select $3, id, 'grader/1', 'void', '2031-01-05T12:00:01Z' from resolved returning resolution_id`,
    [eventId, JSON.stringify(outcomes), id],
  );
  const before = await read(id);
  const etag = before.headers.get('etag') ?? '';
  expect(etag).toContain(`.${rows[0].resolution_id}-${Date.parse('2031-01-05T12:00:01Z')}"`);
  expect(before.body.grade.markets[0]).toMatchObject({ decided_by: 'prices', was_disputed: false });
  const say = (words: Record<string, FinalWord>) =>
    saveResolution(service.database.db, { eventId, outcomes, words, evidence: {}, now: new Date() });

  expect((await read(id, { 'if-none-match': etag })).status).toBe(304);
  const words = Object.fromEntries(Object.keys(outcomes).map(marketId => [marketId, word]));
  expect(await say(words)).toBe(true);
  const after = await read(id, { 'if-none-match': etag });
  expect(after.status).toBe(200);
  const told = { decided_by: 'uma', was_disputed: true, final_at: word.finalAt, settlement_value: 0.3 };
  const { grade } = before.body;
  const markets = grade.markets.map((market: object) => ({ ...market, ...told }));
  expect(after.body).toEqual({ ...before.body, grade: { ...grade, markets } });

  const newTag = after.headers.get('etag') ?? '';
  expect(newTag).not.toBe(etag);
  expect(await say(words)).toBe(false);
  expect((await read(id, { 'if-none-match': newTag })).status).toBe(304);
});

const word: FinalWord = {
  resolution: 'void',
  status: 'resolved',
  finalAt: '2031-01-06T12:00:00.000Z',
  decidedBy: 'uma',
  wasDisputed: true,
  settlementValue: 0.3,
  rulesUpdated: false,
  transactionHash: null,
};
