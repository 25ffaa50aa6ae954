import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CouncilReports } from '../../client/council-reports.js';
import { closeServer, listen } from '../support/listen.js';
import { useTestService } from '../support/use-service.js';
import { manyEvents, manyIds } from '../workflows/support/many-events.js';

const service = await useTestService({ markets: manyEvents() });
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await closeServer(server);
});

const events = manyIds(2);
const asked = { events, lane: 'credits', budget_credits: 5_000 } as const;

describe('the client', () => {
  test('plans a batch, creates it, follows it to its end and reads its rows', async () => {
    const { key } = await service.newCaller(10_000);
    const { batches, reports } = new CouncilReports({ apiKey: key, baseUrl: service.url });
    const plan = await batches.plan(asked);
    expect(plan.rows.map(({ kind }) => kind)).toEqual(['fresh', 'fresh']);
    let batch = await batches.create({ ...asked, name: 'both', max_in_flight: 1 });
    const id = batch.batch_id;
    while (batch.status === 'running') batch = await batches.get(id, { waitSeconds: 20 });
    expect(batch).toMatchObject({ name: 'both', status: 'completed', rows: { completed: 2 } });
    const first = await batches.rows(id, { limit: 1 });
    const last = await batches.rows(id, { limit: 1, after: first.next ?? 0, state: 'completed' });
    expect([...first.rows, ...last.rows].map(({ event_id }) => event_id)).toEqual(events);
    expect(last.next).toBeNull();
    expect((await reports.get(first.rows[0]?.report_id ?? 0)).status).toBe('completed');
    expect((await batches.list({ per_page: 5 })).batches).toEqual([batch]);
    expect(await batches.retry(id)).toMatchObject({ status: 'completed' });
    await expect(batches.update(id, { status: 'paused' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('creates one batch although the answer to its request is lost', async () => {
    const { key } = await service.newCaller(10_000);
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method !== 'POST' || lost++ > 0) return answer;
      throw new TypeError('the connection was lost');
    };
    const { batches } = new CouncilReports({ apiKey: key, baseUrl: service.url, fetch: losing });
    const batch = await batches.create({ ...asked, events: ['no-such-event'] });
    const { total, batches: all } = await batches.list();
    expect([total, all[0]?.batch_id]).toEqual([1, batch.batch_id]);
  });

  test('takes an answer of the other kind for none of this service', async () => {
    const bodies = ['{"rows":[],"credits":{"expected":0,"at_most":0}}', '{"batch_id":"x"}'];
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(bodies.shift() ?? '{}');
    });
    servers.push(server);
    const { batches } = new CouncilReports({ baseUrl: `http://127.0.0.1:${await listen(server)}` });
    await expect(batches.create(asked)).rejects.toMatchObject({ code: 'unexpected_answer' });
    await expect(batches.plan(asked)).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});
