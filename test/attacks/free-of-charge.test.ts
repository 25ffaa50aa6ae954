import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { createOpenExports } from '../../api/reading/open-exports.js';
import { exportedPageMax } from '../../db/track-record/track-record.js';
import { exportsOpenMax, exportsOpenPerAddressMax, keptRowsPerDayPerAccount } from '../../purchase/limits.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { plantGrades } from '../support/record/plant-record.js';
import { plantTrackRecord } from '../support/record/plant-track-record.js';
import { send } from '../support/service/send.js';
import type { Answer } from '../support/service/test-caller.js';
import { until } from '../support/until.js';
import { useTestBilling } from '../support/use-service.js';

/** Statements that read a page of the export. */
let pagesRead = 0;
const query: (...args: any[]) => unknown = Reflect.get(pg.Client.prototype, 'query');

/** What a stranger reads, and an account adds, without paying is bounded. */
const { service } = await useTestBilling();
await plantTrackRecord(service.database, 300);

beforeEach(() => {
  pagesRead = 0;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: any[]) {
    const [statement] = args;
    const text = String(typeof statement === 'string' ? statement : statement?.text);
    if (text.startsWith('select "entry"')) pagesRead++;
    return Reflect.apply(query, this, args);
  } as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const read = (headers: Record<string, string> = {}): Promise<Answer> =>
  send(`${service.url}/api/stats/track-record/reports`, { headers });

const ungraded = { state: 'void', scores: null, openMarkets: 0 } as const;

test('any number of whole exports read the database once, until a report is graded', async () => {
  const answers: Answer[] = [];
  for (let round = 0; round < 5; round++)
    answers.push(...(await Promise.all(Array.from({ length: exportsOpenPerAddressMax }, () => read()))));
  const [first] = answers;
  const { reports } = first?.body ?? {};
  expect(reports.length).toBeGreaterThan(exportedPageMax);
  for (const { body } of answers) expect(body).toEqual(first?.body);
  const pages = Math.ceil(reports.length / exportedPageMax) + 1;
  expect(pagesRead).toBe(pages);

  const etag = first?.headers.get('etag') ?? '';
  for (const answer of await Promise.all(Array.from({ length: 50 }, () => read({ 'if-none-match': etag }))))
    expect(answer).toMatchObject({ status: 304, body: null });
  expect(pagesRead).toBe(pages);

  const reportId: number = reports[0].report_id;
  await plantGrades(service.database, [{ reportId, grade: ungraded }]);
  const corrected = await read({ 'if-none-match': etag });
  expect(corrected.body.reports[0]).toMatchObject({ report_id: reportId, state: 'void' });
  expect(corrected.headers.get('etag')).not.toBe(etag);
});

test('a grade that is committed after a later one changes the version', async () => {
  const { rows } = await service.database.pool.query('select max(report_id) as id from grades');
  const late = await service.database.pool.connect();
  try {
    await late.query('begin');
    await late.query(
      `insert into grades (report_id, resolution_id, grader, state, graded_at)
       select report_id, resolution_id, grader || '-late', 'void', graded_at from grades where report_id = $1 limit 1`,
      [rows[0].id],
    );
    await plantGrades(service.database, [{ reportId: rows[0].id, grade: ungraded }]);
    const before = (await read()).headers.get('etag');
    await late.query('commit');
    expect((await read()).headers.get('etag')).not.toBe(before);
  } finally {
    late.release();
  }
});

test('an address has some exports at a time, and the others are refused with Retry-After', async () => {
  // One page is held in the database, so that no export ends. Another `after` is another page.
  const lock = await service.database.pool.connect();
  await lock.query('begin');
  await lock.query('lock table record_entries in access exclusive mode');
  const ended: Answer[] = [];
  const all = Array.from({ length: exportsOpenPerAddressMax + 2 }, async () => {
    ended.push(await send(`${service.url}/api/stats/track-record/reports?after=7`));
  });
  await until('two are refused', () => ended.length === 2);
  for (const answer of ended) {
    expectProblem(answer, 'rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await lock.query('rollback');
  lock.release();
  await Promise.all(all);
  expect(ended.slice(2).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await read()).status).toBe(200);
});

test('many addresses together have a limited number of exports, and each that ends makes room', () => {
  const open = createOpenExports();
  const leave = Array.from({ length: exportsOpenMax }, (_, index) => open.enter(`192.0.2.${index}`));
  expect(() => open.enter('198.51.100.1')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  leave[0]?.();
  expect(open.enter('198.51.100.1')).toBeInstanceOf(Function);
});

const countOf = async (table: string, accountId: string) => {
  const { rows } = await service.database.pool.query(`select from ${table} where account_id = $1`, [
    accountId,
  ]);
  return rows.length;
};

test('an account that creates and revokes keys all day leaves 100 of them', async () => {
  const caller = await service.newCaller();
  const before = await countOf('api_keys', caller.accountId);
  for (let keys = before; keys < keptRowsPerDayPerAccount; keys++) {
    const { status, body } = await caller.post('/api/keys', { name: 'again' }, { as: 'session' });
    expect(status).toBe(201);
    await caller.delete(`/api/keys/${body.id}`, { as: 'session' });
  }
  const refused = await caller.post('/api/keys', { name: 'again' }, { as: 'session' });
  expectProblem(refused, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
  expect(await countOf('api_keys', caller.accountId)).toBe(keptRowsPerDayPerAccount);
  const other = await service.newCaller();
  expect((await other.post('/api/keys', { name: 'mine' }, { as: 'session' })).status).toBe(201);
}, 120_000);

test('an account that opens checkouts all day leaves 100 of them, and as many at Stripe', async () => {
  const caller = await service.newCaller();
  for (let checkouts = 0; checkouts < keptRowsPerDayPerAccount; checkouts++) {
    expect((await caller.post('/api/billing/checkout', { pack_id: 'starter' })).status).toBe(201);
  }
  expectProblem(await caller.post('/api/billing/checkout', { pack_id: 'starter' }), 'rate_limited');
  expect(await countOf('checkouts', caller.accountId)).toBe(keptRowsPerDayPerAccount);
}, 120_000);
