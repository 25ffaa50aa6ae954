import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { recordText, shortHash } from '../../../contract/report-text/record-text.js';
import { twoSided } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false, pages: await loadPageRenderer() });

const check = async (caller: TestCaller) => (await caller.get('/api/reports/check/sample-fed-cut-2031')).body;
const page = async () => (await fetch(service.url, { headers: { accept: 'text/html' } })).text();

test('without an entry, no answer names one', async () => {
  expect(await check(await service.newCaller())).toMatchObject({ record_head: null });
  expect(await page()).not.toContain('Record: entry');
});

describe('the head of the record', () => {
  let caller: TestCaller;
  let head: { seq: number; hash: string };
  beforeAll(async () => {
    caller = await service.newCaller();
    await plantReports(service.database, [twoSided(60, 50)]);
    const { rows } = await service.database.pool.query(
      `select seq, encode(hash, 'hex') as hash from record_entries order by seq desc limit 1`,
    );
    head = rows[0];
  });

  test('is in every price check, a second later at most', async () => {
    const { record_head } = await until(
      'the check names an entry',
      () => check(caller),
      body => body.record_head !== null,
    );
    expect(record_head).toEqual(head);
  });

  test('is in the foot of each page, with the whole hash', async () => {
    const html = await until('the page names an entry', page, text => text.includes('Record: entry'));
    expect(html).toMatch(
      new RegExp(`Record: entry .*${head.seq}.*<code title="${head.hash}">${shortHash(head.hash)}`),
    );
  });

  test('is written as one line elsewhere', () => {
    expect(recordText({ seq: 12, hash: 'abc' })).toBe('Record: entry 12, abc');
  });
});
