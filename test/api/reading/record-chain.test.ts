import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Evidence } from '../../../council/evidence.js';
import { hashedEvidence } from '../../../db/digests.js';
import { saveEvent } from '../../../db/reports/events.js';
import { saveRecordTimestamp } from '../../../db/track-record/record-timestamps.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { event, market } from '../../council/fixtures.js';
import { resolved, twoSided } from '../../record/grade-fixtures.js';
import { lyingService } from '../../support/record/lying-service.js';
import { plantGrades, plantReports } from '../../support/record/plant-record.js';
import { found, reportOfEntry, searched } from '../../support/record/report-of-entry.js';
import { tamper } from '../../support/record/tamper.js';
import { tamperings } from '../../support/record/tamperings.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

/** Two pages of the program, so that it has to read on. */
const reportCount = 105;
/** Of each ten reports, these are hidden: their events are open, or may open again. */
const hiddenKinds = ['open', 'paused', 'ended'] as const;

const service = await useTestService({ worker: false });
const folder = mkdtempSync(join(tmpdir(), 'council-record-'));
let planted: RecordedForecast[];

const kinds = ['open', 'paused', 'ended', 'closed', 'graded'] as const;
const kindOf = ({ event_id }: { event_id: string }) => event_id.split('-')[0] ?? '';

beforeAll(async () => {
  planted = await plantReports(
    service.database,
    Array.from({ length: reportCount }, (_, index) => {
      const eventId = `${kinds[index % kinds.length]}-${index}`;
      const made = twoSided(60, 50, { claude: 60 }, { event_id: eventId, simulated: index % 10 !== 9 });
      return index % 20 < 10 ? made : searched(made);
    }),
    '1.0.0',
  );
  await plantReceipt(100);
  const past = '2020-01-01T00:00:00.000Z';
  const future = '2090-01-01T00:00:00.000Z';
  for (const { event_id: eventId } of planted) {
    const kind = kindOf({ event_id: eventId });
    const status = kind === 'open' || kind === 'ended' ? 'open' : 'closed';
    const closesAt = kind === 'paused' || kind === 'graded' ? future : past;
    const read = event([market({ name: 'Rain' })], { eventId, status, closesAt });
    await saveEvent(service.database.db, read, new Date());
  }
  await grade(planted.filter(each => kindOf(each) === 'graded'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const reportOf = (seq: number) => reportOfEntry(service.database, seq);

/** A receipt whose token nobody has signed; the program is not given the certificates of an authority. */
async function plantReceipt(seq: number): Promise<void> {
  const { rows } = await service.database.pool.query('select hash from record_entries where seq = $1', [seq]);
  const { hash } = rows[0];
  const authority = 'http://authority.example/tsr';
  const receipt = { seq, hash, authority, token: Buffer.concat([Buffer.from('token'), hash]) };
  await saveRecordTimestamp(service.database.db, { ...receipt, stampedAt: new Date() });
}

async function grade(forecasts: readonly RecordedForecast[]): Promise<void> {
  const grades = forecasts.flatMap(forecast => {
    const outcomes = resolved({ Rain: 'yes' });
    const found = gradeForecast(forecast, outcomes);
    return found === 'pending' ? [] : [{ reportId: forecast.report_id, grade: found, outcomes }];
  });
  await plantGrades(service.database, grades);
}

const path = '/api/stats/track-record/chain';
const get = (query = '', headers: Record<string, string> = {}) =>
  send(`${service.url}${path}${query}`, { headers });
async function readChain(): Promise<any[]> {
  const first = (await get('?limit=100')).body.entries;
  return [...first, ...(await get(`?after=${first.at(-1).number}&limit=100`)).body.entries];
}
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describe('the public chain', () => {
  test('has every entry, and all links can be computed again without any forecast', async () => {
    const entries = await readChain();
    expect(entries).toHaveLength(reportCount);
    let previous = '0'.repeat(64);
    for (const [index, entry] of entries.entries()) {
      expect([entry.number, entry.previous_hash]).toEqual([index + 1, previous]);
      const kind = entry.simulated ? 'simulated' : 'live';
      const lines = ['record-entry/1', entry.number, entry.time, kind, previous, entry.commitment];
      expect([entry.version, entry.hash]).toEqual([1, sha256(lines.join('\n'))]);
      previous = entry.hash;
    }
    const { body } = await send(`${service.url}/api/stats/track-record`);
    expect(body.record).toEqual({ entries: reportCount, head: previous });
  });

  test('shows a forecast, and its salt, once its event has closed, and not before', async () => {
    const entries = await readChain();
    for (const [index, { payload, salt, commitment, simulated }] of entries.entries()) {
      const recorded = planted[index];
      const isHidden = hiddenKinds.some(kind => kind === kindOf(recorded ?? { event_id: '' }));
      expect([recorded?.event_id, payload === null, salt === null]).toEqual([
        recorded?.event_id,
        isHidden,
        isHidden,
      ]);
      expect(simulated).toBe(recorded?.simulated);
      if (isHidden) continue;
      expect(JSON.parse(payload)).toEqual(recorded);
      expect(sha256(Buffer.from(salt, 'hex'), payload)).toBe(commitment);
    }
  });

  test('does not confirm a right guess of a hidden forecast', async () => {
    const { rows } = await service.database.pool.query('select payload from record_entries order by seq');
    const page = JSON.stringify(await readChain());
    for (const entry of await readChain()) {
      const guess: string = rows[entry.number - 1].payload;
      expect(page).not.toContain(sha256(guess));
      expect(page).not.toContain(sha256(Buffer.from(entry.previous_hash, 'hex'), guess));
      if (entry.payload === null) expect(page).not.toContain(JSON.stringify(guess).slice(1, -1));
    }
    const { rows: salts } = await service.database.pool.query(
      'select count(distinct salt)::int from record_entries',
    );
    expect(salts).toEqual([{ count: reportCount }]);
  });

  test('is read in pages; a full page of graded reports never changes, every other one is read again', async () => {
    expect((await get()).body.entries).toHaveLength(20);
    expect((await get(`?after=${reportCount}`)).body).toEqual({ entries: [] });
    const graded = await get('?after=4&limit=1');
    expect(graded.headers.get('cache-control')).toBe('public, max-age=86400, immutable');
    for (const query of ['?limit=1', '?after=3&limit=1', `?after=${reportCount - 1}&limit=2`]) {
      expect((await get(query)).headers.get('cache-control')).toBe('public, max-age=30');
    }
    const etag = graded.headers.get('etag') ?? '';
    expect((await get('?after=4&limit=1', { 'if-none-match': etag })).status).toBe(304);
  });
});

/** Runs the program as a stranger would. @returns its exit code and what it printed */
async function verify(head = 'head.json', url = service.url, reports: readonly object[] = []) {
  const files = reports.map((report, index) => {
    const file = join(folder, `report-${index}.json`);
    writeFileSync(file, JSON.stringify(report));
    return file;
  });
  const run = promisify(execFile)('python3', [
    'examples/verify-record.py',
    url,
    ...files,
    '--head',
    join(folder, head),
  ]);
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** Expects the program to end with these faults, and not to have replaced the head that it keeps. */
function expectFaults(found: { code: number; stdout: string; stderr: string }, fault: RegExp): void {
  expect(found.code).toBe(1);
  expect(found.stderr).toMatch(fault);
  expect(found.stderr).toContain('The record does not hold. The kept head is unchanged.');
}

describe('the program that verifies the record', () => {
  test('accepts the record, prints what it checked, and keeps the head', async () => {
    const first = await verify();
    expect(first).toMatchObject({ code: 3, stderr: '' });
    expect(first.stdout).toContain(
      `Verified: ${reportCount} entries have the right numbers, links, hashes and kinds.`,
    );
    expect(first.stdout).toContain('42 opened entries fit what they committed to; 63 are hidden');
    expect(first.stdout).toContain('Verified: 11 graded reports are as recorded');
    expect(first.stdout).toContain('UNPROVEN (1): receipts without --ca: receipt 1');
    expect(first.stdout).toContain(`UNPROVEN (${reportCount}): entries of release 1.0.0`);
    expect(first.stdout).toContain(
      'UNPROVEN (11): graded forecasts without a receipt from before their outcome',
    );
    const kept = JSON.parse(readFileSync(join(folder, 'head.json'), 'utf8'));
    expect(kept).toMatchObject({ base_url: service.url, entries: reportCount });
    expect((await verify()).stdout).toContain(`entries 1 to ${reportCount} are those of`);
  });

  test.each(Object.entries(tamperings))('finds %s', async (name, { statements, fault, ...how }) => {
    const undo = await tamper(service.database, statements, how);
    const found = await verify(how.isFirstRun ? `${name}.json` : 'head.json');
    await undo();
    expectFaults(found, fault);
  });

  test('accepts the record again, and with more entries', async () => {
    await plantReports(service.database, [twoSided(40, 50, {}, { event_id: 'open-later' })], '1.0.0');
    expect((await verify()).stdout).toContain(`entries 1 to ${reportCount} are those of`);
  });

  test('compares reports with their entries, and the evidence that they show with the hash of it', async () => {
    // Graded and searched, graded and older, and one that is still hidden.
    const reports = await Promise.all([15, 5, 11].map(reportOf));
    const { stdout, ...ended } = await verify('head.json', service.url, reports);
    expect(ended).toEqual({ code: 3, stderr: '' });
    expect(stdout).toContain('3 saved reports fit the chain, 2 of them with their opened forecast');
  });

  test('finds whatever a report shows that its entry does not hold', async () => {
    const other = { ...found, searches: 2 };
    const summary = (evidence: Evidence) => ({
      evidence: { status: 'searched', items: 1, sha256: hashedEvidence(evidence).sha256 },
    });
    const changed = async (seq: number, evidence: Evidence | null, of: object = {}) => {
      const { council_config: config, deliberation, ...report } = await reportOf(seq);
      const runtime = { ...config.runtime, ...of };
      return { ...report, council_config: { runtime }, deliberation: { ...deliberation, evidence } };
    };
    const idOf = (seq: number) => planted[seq - 1]?.report_id;
    const { stderr, code } = await verify('head.json', service.url, [
      await changed(15, other),
      await changed(11, other),
      await changed(15, other, summary(other)),
      await changed(5, found, summary(found)),
      await changed(15, found, { market_probabilities: { Yes: 61, No: 39 } }),
      { ...(await reportOf(11)), record: { seq: 11, hash: 'a'.repeat(64) } },
    ]);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      `WRONG: report ${idOf(15)} shows other evidence than the one whose hash it names.`,
      `WRONG: report ${idOf(11)} shows other evidence than the one whose hash it names.`,
      `WRONG: report ${idOf(15)} has another evidence than entry 15 of the chain.`,
      `WRONG: report ${idOf(5)} has another evidence than entry 5 of the chain.`,
      `WRONG: report ${idOf(15)} has another council than entry 15 of the chain.`,
      'WRONG: entry 11 has two hashes in saved reports.',
      `WRONG: report ${idOf(11)} names another hash for entry 11 than the chain.`,
      'The record does not hold. The kept head is unchanged.',
      '',
    ]);
  });

  test('compares the sample report without being asked for', async () => {
    const report = await reportOf(15);
    const show = (evidence: Evidence) =>
      lyingService(service.url, (asked, body) => {
        if (asked === '/api/reports/sample')
          Object.assign(body, { ...report, deliberation: { ...report.deliberation, evidence } });
      });
    const honest = await show(found);
    const truth = await verify('honest.json', honest.url).finally(honest.close);
    expect(truth.stdout).toContain('1 saved reports fit the chain, 1 of them with their opened forecast');
    const liar = await show({ ...found, searches: 2 });
    const lied = await verify('lied.json', liar.url).finally(liar.close);
    expectFaults(lied, /shows other evidence than the one whose hash it names/);
  });

  test('says so if there is no service, or a file of another one', async () => {
    expect(await verify('new.json', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: 'The service at http://127.0.0.1:1 cannot be reached.\n',
    });
    expect(await verify('head.json', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keeps the head of http.*: name another file/),
    });
  });
});
