import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Resolution } from '../../../council/event.js';
import { refreshTrackRecord } from '../../../db/track-record/track-record.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { bet, forecast, outcome, resolved } from '../../record/grade-fixtures.js';
import { scanAnswer } from '../../support/expect/scan-answer.js';
import { plantGrades, plantReports } from '../../support/record/plant-record.js';
import { randomReports } from '../../support/record/random-record.js';
import { scoresOf } from '../../support/record/recompute-scores.js';
import { recomputeTrackRecord } from '../../support/record/recompute-track-record.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

const reportCount = 420;
const eventCount = 160;

/** What was planted, and how each was graded. */
let planted: { forecast: RecordedForecast; grade: ReturnType<typeof gradeForecast> }[];

const service = await useTestService({ worker: false });

const path = '/api/stats/track-record';
const get = async (at = path, headers: Record<string, string> = {}) => {
  const answer = await send(service.url + at, { headers });
  scanAnswer(answer.body);
  return answer;
};
const rowsOf = async (query = ''): Promise<any[]> => (await get(`${path}/reports${query}`)).body.reports;
const refresh = () => refreshTrackRecord(service.database.db, true, new Date());

/** Numbers within 1e-9 of one another, everything else the same. */
function expectClose(actual: any, expected: any, at = 'record'): void {
  if (typeof expected === 'number') {
    const apart = Math.abs(actual - expected);
    expect([at, apart <= 1e-9 ? 'close' : `${actual} for ${expected}`]).toEqual([at, 'close']);
  } else if (typeof expected === 'object' && expected !== null) {
    expect([at, Object.keys(actual ?? {}).sort()]).toEqual([at, Object.keys(expected).sort()]);
    for (const key of Object.keys(expected)) expectClose(actual[key], expected[key], `${at}.${key}`);
  } else expect([at, actual]).toEqual([at, expected]);
}

/** Texts are not recomputed: the numbers in them are. */
const withoutTexts = (record: object): any =>
  JSON.parse(JSON.stringify(record), (key, value) => (key === 'text' ? undefined : value));

test('before any report is graded the record is empty and makes no claim, and the export has no rows', async () => {
  const { status, body } = await get();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    as_of: null,
    events: 0,
    counts: { sold: 0, completed: 0, graded: 0, pending: 0, void: 0, fifty_fifty: 0, disputed: 0, failed: 0 },
    council: { brier: null, log_score: null, hit_rate: null, n: 0 },
    paired_difference: { mean: null, interval_95: null, confidence_sequence_95: null, n: 0, events: 0 },
    estimate_difference: { mean: null, n: 0 },
    review: { mean: null, n: 0 },
    skill: null,
    bets: { n: 0, mean_return_per_dollar: null, interval_95: null },
  });
  expect(body.verdict_text).toContain('collecting');
  expect((await get(`${path}/reports`)).body).toEqual({ reports: [] });
});

describe('a record of hundreds of reports', () => {
  beforeAll(async () => {
    const made = randomReports(reportCount, eventCount);
    const forecasts = await plantReports(
      service.database,
      made.map(each => each.forecast),
    );
    planted = forecasts.map((of, index) => ({
      forecast: of,
      grade: gradeForecast(of, made[index]?.resolutions ?? {}),
    }));
    await plantGrades(
      service.database,
      planted.flatMap(({ forecast: { report_id: reportId }, grade }, index) =>
        grade === 'pending' ? [] : [{ reportId, grade, outcomes: made[index]?.resolutions ?? {} }],
      ),
    );
    await refresh();
  });

  test('counts every completed report once', async () => {
    const { counts } = (await get()).body;
    const states = planted.map(({ grade }) => (grade === 'pending' ? grade : grade.state));
    const of = (state: string) => states.filter(each => each === state).length;
    expect(counts).toEqual({
      sold: reportCount,
      completed: reportCount,
      graded: of('graded'),
      pending: of('pending'),
      void: of('void'),
      fifty_fifty: of('fifty_fifty'),
      disputed: of('disputed'),
      failed: 0,
    });
    for (const state of ['graded', 'pending', 'void', 'fifty_fifty', 'disputed'])
      expect(of(state)).toBeGreaterThan(0);
  });

  test('can be recomputed from its export to the last published figure', async () => {
    const { simulated, as_of, counts, record, proof, verdict_text, ...published } = (await get()).body;
    const rows = await rowsOf();
    expectClose(withoutTexts(published), recomputeTrackRecord(rows));
    expect(published.by_category.map(({ slice }: any) => slice)).toEqual([
      ...Array.from({ length: 10 }, () => 'category'),
      'other',
      'none',
    ]);
    expect(published.paired_difference.events).toBeGreaterThan(100);
    expect(published.market.n).toBeLessThan(published.council.n);
    expect(published.paired_difference.events).toBeLessThan(published.paired_difference.n);
    for (const flag of Object.values<any>(published.by_flag)) expect(flag.council.n).toBeGreaterThan(10);
    for (const action of Object.values<any>(published.by_action))
      expect(action.council.n).toBeGreaterThan(10);
    for (const evidence of Object.values<any>(published.by_evidence)) {
      expect(evidence.market_distance_points.events).toBeGreaterThan(10);
      expect(evidence.market_distance_points.n).toBe(evidence.paired_difference.n);
    }
    for (const part of [published.estimate_difference, published.review, published.bets.claims]) {
      expect(part.events).toBeGreaterThan(30);
      expect(part.n).toBeGreaterThan(part.events);
    }
    expect(published.bets.by_kind.edge.n + published.bets.by_kind.pick.n).toBe(published.bets.n);
    expect(simulated).toBe(true);
    expect(Date.parse(as_of)).toBeGreaterThan(0);
    const { rows: heads } = await service.database.pool.query(
      `select seq as entries, encode(hash, 'hex') as head from record_entries order by seq desc limit 1`,
    );
    expect(record).toEqual(heads[0]);
    expect(counts.graded).toBe(published.council.n);
    expect(verdict_text).toMatch(/worse than|better than|not distinguishable from/);
    const unproven = { stamped_before_outcome: 0, unproven: counts.graded, overdue: 0 };
    expect(proof).toEqual({ authority: null, graded: counts.graded, ...unproven });
    expect(verdict_text).toContain('The record is unproven: no time-stamp authority has signed it');
  });

  test('exports scores that match the percentages of the row', async () => {
    const graded = (await rowsOf()).filter(({ state }) => state === 'graded');
    for (const row of graded) {
      const { members, first_members, ...others } = row.scores;
      const first = Object.entries(first_members).map(([name, score]) => [`first ${name}`, score]);
      const exported = { ...others, ...members, ...Object.fromEntries(first) };
      expectClose(exported, scoresOf(row), `report ${row.report_id}`);
    }
  });

  test('exports what the market answered, from which grading again gives the same outcomes', async () => {
    const rows = await rowsOf();
    for (const { report_id, state, outcomes, resolution } of rows) {
      const { forecast: recorded } = planted.find(each => each.forecast.report_id === report_id) ?? {};
      if (recorded === undefined) throw new Error(`report ${report_id} was not planted`);
      const again = gradeForecast(recorded, resolution.outcomes);
      if (again === 'pending') throw new Error(`report ${report_id} has a grade but no outcome`);
      const known = again.scores?.outcomes.filter(({ open }) => open !== true);
      expect([state, outcomes.map((each: any) => each.happened)]).toEqual([
        again.state,
        known?.map(({ happened }) => happened) ?? outcomes.map(() => null),
      ]);
      expect(resolution.first_observed_at <= resolution.observed_at).toBe(true);
    }
  });

  test('exports void and disputed reports with their state and without scores', async () => {
    const rows = await rowsOf();
    expect(rows).toHaveLength(planted.filter(({ grade }) => grade !== 'pending').length);
    for (const row of rows.filter(({ state }) => state !== 'graded')) {
      expect(row.scores).toBeNull();
      for (const each of row.outcomes) expect(each.happened).toBeNull();
      for (const bet of row.bets) expect(bet).toMatchObject({ won: null, return_per_dollar: null });
    }
  });

  test('does not match if a single bad report is hidden', async () => {
    const { paired_difference } = (await get()).body;
    const rows = await rowsOf();
    const loss = ({ scores }: any) => (scores?.market ? scores.council.brier - scores.market.brier : -2);
    const worst = rows.reduce((a, b) => (loss(b) > loss(a) ? b : a));
    const without = recomputeTrackRecord(rows.filter(row => row !== worst));
    expect(without.paired_difference.n).toBe(paired_difference.n - 1);
    expect(without.paired_difference.mean).toBeLessThan(paired_difference.mean - 1e-4);
  });

  test('can be exported in pages, in ascending order, each report once', async () => {
    const all = await rowsOf();
    const ids = all.map(row => row.report_id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const pages: any[] = [];
    for (let after = 0; ; after = pages.at(-1).report_id) {
      const page = await rowsOf(`?after=${after}&limit=97`);
      pages.push(...page);
      if (page.length < 97) break;
    }
    expect(pages).toEqual(all);
    expect(await rowsOf(`?after=${ids.at(-1)}`)).toEqual([]);
    expect(await rowsOf('?limit=250')).toEqual(all.slice(0, 250));
  });

  test('returns 304 to a caller with the current version, and a new one after a report completes', async () => {
    const first = await get();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=30');
    expect((await get()).headers.get('etag')).toBe(etag);
    const known = await get(path, { 'if-none-match': `"other", ${etag}` });
    expect(known).toMatchObject({ status: 304, body: null });
    expect(known.headers.get('etag')).toBe(etag);

    await plantReports(service.database, [forecast([], { event_id: 'one-more' })]);
    const second = await get(path, { 'if-none-match': etag });
    expect(second.status).toBe(200);
    const { graded, pending } = first.body.counts;
    expect(second.body.counts).toMatchObject({ completed: reportCount + 1, graded, pending: pending + 1 });
  });

  test('is corrected by a newer grade, and the older one is kept', async () => {
    const before = (await get()).body;
    const corrected = planted.find(
      ({ forecast: { outcomes }, grade }) =>
        outcomes[1]?.side === 'no' && grade !== 'pending' && grade.state === 'graded',
    );
    if (corrected === undefined || corrected.grade === 'pending') throw new Error('nothing to correct');
    const { report_id: reportId } = corrected.forecast;
    const won = corrected.grade.scores?.outcomes[0]?.happened === 1;
    const market = corrected.forecast.outcomes[0]?.market_id ?? '';
    const grade = gradeForecast(corrected.forecast, { [market]: won ? 'no' : 'yes' });
    if (grade === 'pending') throw new Error('not corrected');
    await plantGrades(service.database, [{ reportId, grade }]);
    await refresh();

    const after = (await get()).body;
    expect(after.counts).toEqual({ ...before.counts });
    expect(after.council.brier).not.toBe(before.council.brier);
    const rows = await rowsOf();
    expect(rows.find(row => row.report_id === reportId).outcomes[0].happened).toBe(won ? 0 : 1);
    expectClose(after.council, recomputeTrackRecord(rows).council);
    const kept = 'select from grades where report_id = $1';
    expect((await service.database.pool.query(kept, [reportId])).rows).toHaveLength(2);
  });
});

test('a market of an independent event is in the record once it is final; of the others nothing is public', async () => {
  const outcomes = [outcome('A', 61.5, 50), outcome('B', 31.5, 30)];
  const bets = [bet('A'), bet('B', { kind: 'pick' })];
  const [of] = await plantReports(service.database, [
    forecast(outcomes, {
      event_id: 'in-parts',
      exclusive: false,
      bets,
      action: 'BUY_YES',
      queried_market: 'B',
    }),
  ]);
  if (of === undefined) throw new Error('nothing was planted');
  const after = async (resolutions: Record<string, Resolution>) => {
    const grade = gradeForecast(of, resolved(resolutions));
    if (grade === 'pending') throw new Error('not graded');
    await plantGrades(service.database, [{ reportId: of.report_id, grade }]);
    await refresh();
    const published = (await get()).body;
    const { body } = await get(`${path}/chain?limit=1&after=${published.record.entries - 1}`);
    const rows = await rowsOf();
    expectClose({ ...withoutTexts(published), ...recomputeTrackRecord(rows) }, withoutTexts(published));
    return { row: rows.find(row => row.report_id === of.report_id), payload: body.entries[0].payload };
  };
  const part = await after({ A: 'yes', B: 'unresolved' });
  expect(part.row).toMatchObject({
    state: 'graded',
    open_markets: 1,
    action: null,
    queried_market: null,
    headline: { outcome: 'A' },
    outcomes: [{ name: 'A', happened: 1 }],
    bets: [{ market: 'A', won: true }],
  });
  expect(JSON.stringify(part.row)).not.toContain('31.5');
  expect(part.payload).toBeNull();
  const whole = await after({ A: 'yes', B: 'no' });
  expect(whole.row).toMatchObject({
    open_markets: 0,
    action: 'BUY_YES',
    queried_market: 'B',
    outcomes: [{ happened: 1 }, { happened: 0 }],
    bets: [{ won: true }, { won: false }],
  });
  expect(whole.payload).toContain('in-parts');
});
