import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { sendJson, startFakeGamma } from '../../markets/polymarket/fake-gamma.js';
import { gammaEvent, gammaMarket } from '../../markets/polymarket/gamma-fixtures.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint } from '../../support/machine/footprint.js';
import { send } from '../../support/service/send.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const dayMs = 86_400_000;
const firstId = 900_001;
const slugOf = (id: string) => `will-it-rain-${id}`;

let market: 'up' | 'down' | 'hanging' = 'up';
const closed = new Set<string>();
/** Exclusive events of which one market has resolved YES while the others trade. */
const won = new Set<string>();
let used = 0;

const withWinner = [
  gammaMarket({ id: '1', groupItemTitle: 'A', closed: true, outcomePrices: '["1", "0"]' }),
  gammaMarket({ id: '2', groupItemTitle: 'B' }),
  gammaMarket({ id: '3', groupItemTitle: 'C' }),
];

/** The id of an event that no other test uses. */
const newEvent = () => String(firstId + used++);

const gamma = await startFakeGamma(({ url }, response) => {
  if (market === 'hanging') return;
  if (market === 'down') return sendJson(response, { error: 'sorry' }, 503);
  const found = /^\/events\/(?:slug\/will-it-rain-)?(\d+)$/.exec(url.pathname);
  const id = String(Number(found?.[1] ?? 0));
  if (Number(id) < firstId) return sendJson(response, { error: 'not found' }, 404);
  const more = won.has(id) ? { negRisk: true, markets: withWinner } : {};
  sendJson(response, gammaEvent({ id, slug: slugOf(id), closed: closed.has(id), ...more }));
});
const { baseUrl } = gamma;
const markets = createGammaEventSource({ baseUrl, fetch: globalThis.fetch, timeoutMs: 30_000 });
const service = await useTestService({ markets });
afterAll(() => gamma.close());

afterEach(() => {
  market = 'up';
  service.clock.offsetMs = 0;
});

const check = async (caller: TestCaller, idOrSlug: string) => caller.get(`/api/reports/check/${idOrSlug}`);
const charges = async (caller: TestCaller) =>
  (await caller.ledger()).filter(({ kind }) => kind === 'charge').length;

/** The id of the report that the caller bought and that is completed. */
async function complete(caller: TestCaller, answer: Answer): Promise<number> {
  expect(answer.status).toBe(202);
  expect(await caller.untilEnded(answer.body.report_id)).toMatchObject({ status: 'completed' });
  return answer.body.report_id;
}

/** An account with a completed report on an event that no other test uses. */
async function newOwner() {
  const [owner, eventId] = [await service.newCaller(1_000), newEvent()];
  return { owner, eventId, reportId: await complete(owner, await owner.buy(eventId)) };
}

describe('an event named by its slug', () => {
  test('is the event with its id: in the report, the price check and the event itself', async () => {
    const eventId = newEvent();
    const caller = await service.newCaller(1_000);
    expect((await send(`${service.url}/api/events/${slugOf(eventId)}`)).body.event_id).toBe(eventId);
    expect((await check(caller, slugOf(eventId))).body).toEqual((await check(caller, eventId)).body);
    const reportId = await complete(caller, await caller.buy(slugOf(eventId)));
    const { body } = await caller.get(`/api/reports/${reportId}`);
    expect(body.event_id).toBe(eventId);
    for (const name of [eventId, slugOf(eventId), `0${eventId}`])
      expect((await check(caller, name)).body).toMatchObject({
        already_purchased: true,
        report_id: reportId,
      });
  });

  test.each([
    ['by id', 'by slug', (id: string) => [id, slugOf(id)] as const],
    ['by slug', 'by id', (id: string) => [slugOf(id), id] as const],
  ])(
    'a report bought %s is owned %s, cached for others, and replayed under its key',
    async (_, __, names) => {
      const [first, second] = names(newEvent());
      const owner = await service.newCaller(1_000);
      const key = { 'idempotency-key': 'the same' };
      const bought = await owner.buy(first, {}, key);
      const { report_id } = bought.body;
      expect(await owner.buy(second)).toMatchObject({ status: 200, body: { report_id, credits_spent: 0 } });
      const replayed = await owner.buy(second, {}, key);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      expect(replayed.body).toEqual(bought.body);
      expectProblem(await owner.buy(slugOf(newEvent()), {}, key), 'idempotency_mismatch');
      expect(await charges(owner)).toBe(1);

      await complete(owner, bought);
      const other = await service.newCaller(1_000);
      expect(await other.buy(second)).toMatchObject({ status: 200, body: { report_id, cached: true } });
    },
  );

  test('concurrent purchases by id and by slug share one run and one charge', async () => {
    const eventId = newEvent();
    const caller = await service.newCaller(1_000);
    const names = [eventId, slugOf(eventId), eventId, slugOf(eventId)];
    const answers = await Promise.all(names.map(name => caller.buy(name)));
    expect(new Set(answers.map(({ body }) => body.report_id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await charges(caller)).toBe(1);
    await caller.untilEnded(answers[0]?.body.report_id);
  });

  test('that no event has is not found, and nothing is recorded', async () => {
    const caller = await service.newCaller(1_000);
    const before = await footprint(service);
    for (const name of ['no-such-slug', '17']) {
      expectProblem(await caller.buy(name), 'event_not_found');
      expectProblem(await check(caller, name), 'event_not_found');
    }
    expect(await footprint(service)).toEqual(before);
  });
});

describe('while the market is unavailable', () => {
  test.each([
    ['by id', (id: string) => id],
    ['by slug', slugOf],
  ])('an existing report is sold %s, and the price check agrees', async (_, nameOf) => {
    const { owner, eventId, reportId } = await newOwner();
    market = 'down';
    const name = nameOf(eventId);
    const owned = await check(owner, name);
    expect(owned.body).toMatchObject({ already_purchased: true, cost_credits: 0 });
    expect(await owner.buy(name)).toMatchObject({ status: 200, body: { credits_spent: 0 } });
    const other = await service.newCaller(1_000);
    const { body: price } = await check(other, name);
    expect(price).toMatchObject({ has_cached_report: true });
    const sold = { report_id: reportId, credits_spent: price.cost_credits };
    expect(await other.buy(name)).toMatchObject({ status: 200, body: sold });
  });

  test('a report that takes a run is refused, and has no price', async () => {
    const { owner: caller, eventId: yesterdays } = await newOwner();
    service.clock.offsetMs = dayMs;
    const unknown = newEvent();
    market = 'down';
    for (const name of [yesterdays, slugOf(yesterdays), unknown, slugOf(unknown)]) {
      expectProblem(await caller.buy(name), 'unavailable');
      expectProblem(await check(caller, name), 'unavailable');
    }
    expect(await charges(caller)).toBe(1);
  });

  test('a market that does not answer does not keep the buyer of an existing report waiting', async () => {
    const { eventId, reportId } = await newOwner();
    market = 'hanging';
    const other = await service.newCaller(1_000);
    const sold = { report_id: reportId, cached: true };
    expect(await other.buy(eventId)).toMatchObject({ status: 200, body: sold });
  });

  test.each([
    ['closed', closed],
    ['won', won],
  ])(
    'an event that was %s when last read sells no report and has no price, except for its owners',
    async (_, over) => {
      const { owner, eventId } = await newOwner();
      over.add(eventId);
      const other = await service.newCaller(1_000);
      for (market of ['up', 'down'] as const) {
        expectProblem(await check(other, eventId), 'event_closed');
        expectProblem(await other.buy(eventId), 'event_closed');
        expect(await owner.buy(eventId)).toMatchObject({ status: 200, body: { credits_spent: 0 } });
        expect((await check(owner, eventId)).body).toMatchObject({ already_purchased: true });
      }
      expect(await charges(other)).toBe(0);
    },
  );
});
