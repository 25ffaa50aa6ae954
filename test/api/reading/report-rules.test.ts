import { expect, test } from '@jest/globals';
import { saveEvent } from '../../../db/reports/events.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ researchDeadlineMs: 60_000 });
const caller = await service.newCaller(10_000);

const read = (id: number, headers: Record<string, string> = {}) =>
  send(`${service.url}/api/reports/${id}`, { headers: { 'x-api-key': caller.key, ...headers } });

test('a report says when other rules of its event were first read after its sale, to a reader who knows it as well', async () => {
  const eventId = 'sample-calder-mayor-2031';
  const { id } = await caller.run(eventId);
  const before = await read(id);
  expect(before.body).toMatchObject({
    rules_changed_at: null,
    market_snapshot: { rules: expect.stringMatching(/\S/) },
  });
  const tag = { 'if-none-match': before.headers.get('etag') ?? '' };
  expect((await read(id, tag)).status).toBe(304);

  const sold = await createSampleEventSource().get(eventId);
  if (sold === null) throw new Error('it is no sample');
  const changedAt = new Date(Date.now() + 60_000);
  await saveEvent(service.database.db, { ...sold, description: 'By lot.' }, changedAt);
  const after = await read(id, tag);
  expect(after.status).toBe(200);
  expect(after.body).toEqual({ ...before.body, rules_changed_at: changedAt.toISOString() });
});
