import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createFrozenParts } from '../../../api/reading/frozen-parts.js';
import { createRecordEntries } from '../../../api/reading/record-entries.js';
import type { MarketEvent, Resolution } from '../../../council/event.js';
import { connect } from '../../../db/database.js';
import { expectCompletedReport, tenthsOf } from '../../support/expect/report-shape.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

let caller: TestCaller;
/** By event, as each was read once it had ended. */
const reports = new Map<string, any>();

const events = {
  binary: 'sample-fed-cut-2031',
  teams: 'sample-harbour-cup-final-2031',
  wide: 'sample-great-quake-2031',
  noPrice: 'sample-warm-superconductor-2032',
  exclusive: 'sample-ridge-derby-2031',
  openEnded: 'sample-calder-mayor-2031',
  knockedOut: 'sample-chess-knockout-2031',
  ladder: 'sample-oil-ladder-2031',
  large: 'sample-expo-host-2031',
};

const reportOn = (event: keyof typeof events) => reports.get(events[event]);
const runtimeOn = (event: keyof typeof events) => reportOn(event).council_config.runtime;

const copies = createSampleEventCopies();
const service = await useTestService({ researchDeadlineMs: 60_000, markets: copies });

beforeAll(async () => {
  caller = await service.newCaller(10_000);
  const helper = await service.newCaller(10_000);
  await Promise.all(
    Object.values(events).map(async (eventId, index) => {
      const buyer = index < 5 ? caller : helper;
      reports.set(eventId, await buyer.run(eventId));
    }),
  );
});

describe('a completed report', () => {
  test.each(Object.entries(events))('has every field it must have: %s', (_kind, eventId) => {
    const report = reports.get(eventId);
    expect({ eventId, status: report.status, failure: report.failure }).toEqual({
      eventId,
      status: 'completed',
      failure: null,
    });
    expectCompletedReport(report);
  });

  test('names the key that bought it', async () => {
    const [{ id }] = (await caller.get('/api/keys', { as: 'session' })).body.keys;
    expect(reportOn('binary').api_key_id).toBe(id);
  });

  test('has one answer of each of the four models per stage', () => {
    for (const report of reports.values()) {
      const { opinions, cross_review } = report.deliberation;
      expect([opinions.length, cross_review.reviews.length]).toEqual([4, 4]);
    }
  });
});

describe('its distribution', () => {
  test('adds up to exactly 100 if one outcome wins, and so does the market’s if it has prices', () => {
    for (const event of [
      'binary',
      'teams',
      'wide',
      'exclusive',
      'openEnded',
      'knockedOut',
      'large',
    ] as const) {
      const { exclusive, market_probabilities, market_implied_probabilities } = runtimeOn(event);
      expect({ event, exclusive }).toEqual({ event, exclusive: true });
      expect({ event, tenths: tenthsOf(market_probabilities) }).toEqual({ event, tenths: 1_000 });
      const implied = Object.values<number | null>(market_implied_probabilities);
      if (!implied.includes(null)) {
        expect({ event, implied: tenthsOf(market_implied_probabilities) }).toEqual({ event, implied: 1_000 });
      }
    }
  });

  test('comes from the council alone if the market has no price: no conflict, no bet, no market number', () => {
    const runtime = runtimeOn('noPrice');
    expect(Object.values(runtime.market_implied_probabilities)).toEqual([null, null]);
    expect(runtime).toMatchObject({
      most_likely_source: 'council',
      consensus_market_conflict: false,
      top_bets: [],
      best_edge: null,
      market_trustworthy: false,
    });
    expect(reportOn('noPrice').action).toBe('SKIP');
  });
});

describe('the sources', () => {
  test('are found by the members that search, and cited by every member beside its own knowledge', () => {
    for (const report of reports.values()) {
      const { evidence, opinions } = report.deliberation;
      expect(evidence).toMatchObject({ status: 'searched', failures: {} });
      const finders = new Set<string>(evidence.items.flatMap((item: any) => item.found_by));
      expect([...finders].sort()).toEqual(['claude', 'gpt', 'grok']);
      for (const { evidence: facts } of opinions) {
        const cited = facts.map(({ sources }: any) => sources.length > 0);
        expect([cited.includes(true), cited.includes(false)]).toEqual([true, true]);
      }
    }
  });

  test('have the hash that the report states, over the bytes that a caller receives', async () => {
    const { id, council_config, deliberation } = reportOn('binary');
    const sent = await fetch(`${service.url}/api/reports/${id}`, { headers: { 'x-api-key': caller.key } });
    const part = JSON.stringify(deliberation.evidence);
    expect(await sent.text()).toContain(`"evidence":${part}`);
    const { sha256 } = council_config.runtime.evidence;
    expect(sha256).toBe(createHash('sha256').update(part).digest('hex'));
  });
});

describe('provider dollars', () => {
  test('appear in no response: neither as name nor as number nor as currency sign', async () => {
    const { body: list } = await caller.get('/api/reports');
    const answers = [
      ...reports.values(),
      list,
      (await caller.get('/api/credits/pricing')).body,
      (await caller.get('/api/credits/balance')).body,
      (await caller.get('/api/credits/ledger')).body,
      (await caller.get(`/api/reports/check/${events.binary}`)).body,
      (await caller.buy(events.binary)).body,
    ];
    const ours =
      /^(estimate(_missing)?|cost_credits|share_cost(_min|_max)?|(payout|expected_return)_per_dollar)$/;
    const keys = new Set(answers.flatMap(keysIn).filter(key => !ours.test(key)));
    expect([...keys].filter(key => /usd|dollar|cost|tokens|micros|estimate/i.test(key))).toEqual([]);

    const spent = await costs();
    expect(spent.length).toBeGreaterThan(50);
    for (const report of reports.values()) {
      // The market's own prices may happen to equal a cost; they come from the market, and are no cost of ours.
      const text = JSON.stringify({ ...report, market_snapshot: null });
      // One event is about prices and names them; its own words are no cost of ours.
      if (report.event_id !== events.ladder) expect(text).not.toMatch(/\$|\bUSD\b/);
      for (const cost of spent) expect(text).not.toMatch(new RegExp(`[:,[]${cost}[,}\\]]`));
    }
  });

  /**
   * What each run and each call cost, in micro-dollars and in dollars, where the number is long enough to tell: a stake has
   * four decimals.
   */
  async function costs(): Promise<string[]> {
    const { rows } = await service.database.pool.query(
      `select cost_usd_micros as cost from provider_calls
       union all select sum(cost_usd_micros) from provider_calls group by report_id`,
    );
    const micros = rows.map(({ cost }) => Number(cost)).filter(cost => cost >= 1_000);
    const dollars = micros.filter(cost => cost % 100 !== 0).map(cost => String(cost / 1e6));
    return [...micros.map(String), ...dollars.map(cost => cost.replace('.', '\\.'))];
  }

  function keysIn(value: unknown): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = Array.isArray(value) ? [] : Object.keys(value);
    return [...own, ...Object.values(value).flatMap(keysIn)];
  }
});

test('a report shows its grade once its event is resolved, and the correction when there is one', async () => {
  let resolution: Resolution = 'unresolved';
  const told = (event: MarketEvent): MarketEvent => {
    const status = resolution === 'unresolved' ? 'open' : 'closed';
    const markets = event.markets.map(market => ({ ...market, status, resolution }) as const);
    return { ...event, status, markets };
  };
  const eventId = copies.retell('sample-fed-cut-2031', told);
  const buyer = await service.newCaller(1_000);
  const { body } = await buyer.buy(eventId);
  await buyer.untilEnded(body.report_id);
  const read = () => buyer.get(`/api/reports/${body.report_id}`);
  const grade = async () => (await startBatch(service, { kind: 'event', eventId })).result();

  const completed = reports.size + 1;
  // Each report has an entry of its sale and one of its end.
  const seq = 2 * completed;
  const ungraded = await read();
  expect(ungraded.body.grade).toBeNull();
  expect(ungraded.body.record).toMatchObject({ seq, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await grade()).toMatchObject({ graded: 0, pending: 1, failed: 0 });

  resolution = 'yes';
  expect(await grade()).toMatchObject({ graded: 1, failed: 0 });
  const graded = await read();
  const percent = graded.body.council_config.runtime.market_probabilities.Yes;
  expect(graded.body.grade).toMatchObject({ state: 'graded', corrected: false, grader: 'grader/2' });
  expect(graded.body.grade.scores.council.brier).toBeCloseTo(2 * (1 - percent / 100) ** 2, 9);
  expect(graded.headers.get('etag')).not.toBe(ungraded.headers.get('etag'));
  const readUnless = ({ headers }: { headers: Headers }) =>
    buyer.get(`/api/reports/${body.report_id}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
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

  const record = (await buyer.get('/api/stats/track-record', { as: 'nobody' })).body;
  expect(record.counts).toMatchObject({ sold: completed, completed, graded: 1, pending: completed - 1 });
  expect(record.council.brier).toBeCloseTo(corrected.body.grade.scores.council.brier, 12);
  expect(record.record).toEqual({ entries: seq, head: corrected.body.record.hash });
  expect(record.verdict_text).toMatch(/collecting/);
});

test('immutable parts of a completed report are read once and then cached', async () => {
  const report = { id: reportOn('binary').id, status: 'completed' as const, createdAt: new Date() };
  const { db, close } = connect(service.database.url, () => undefined);
  const read = createFrozenParts(db, createRecordEntries({ db, now: () => new Date() }));
  const parts = await read(report);
  expect(parts.record?.seq).toEqual(expect.any(Number));
  await close();
  expect(await read(report)).toEqual(parts);
  await expect(read({ ...report, id: report.id + 1 })).rejects.toThrow();
});
