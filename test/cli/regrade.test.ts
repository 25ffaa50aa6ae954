import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { recordRunning } from '../../cli/launch/running-service.js';
import { twoSided } from '../record/grade-fixtures.js';
import { ControlledMarkets } from '../support/record/controlled-markets.js';
import { plantReports } from '../support/record/plant-record.js';
import { council, startCouncil } from '../support/service/council-command.js';
import { ownNamespace } from '../support/service/own-namespace.js';
import { until } from '../support/until.js';
import { useTestService } from '../support/use-service.js';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const markets = new ControlledMarkets();
const namespace = await ownNamespace();
const service = await useTestService({ markets, namespace });
const home = await mkdtemp(join(tmpdir(), 'council-regrade-'));
afterAll(() => rm(home, { recursive: true }));
const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, COUNCIL_HOME: home };
let events = 0;

async function planted(count: number, more: { outcomes?: [] } = {}, endedAt?: string) {
  const eventId = `event-${++events}`;
  const reports = await plantReports(
    service.database,
    Array.from({ length: count }, () => twoSided(70, 55, { claude: 75 }, { event_id: eventId, ...more })),
    'this',
    endedAt === undefined ? new Date() : new Date(endedAt),
  );
  markets.responses.set(eventId, 'yes');
  return { eventId, ids: reports.map(report => report.report_id) };
}

const shownBy = ({ ran }: ReturnType<typeof startCouncil>) => ran.out + ran.err;

const gradeCount = async (ids: readonly number[]) =>
  (await service.database.pool.query('select from grades where report_id = any($1)', [ids])).rowCount;

describe('council regrade', () => {
  test('grades what is due, shows progress, and prints the result', async () => {
    const { ids } = await planted(3);
    const { code, out, err } = await council(['regrade'], env);
    expect(out).toBe('Events: 1 read, 1 newly resolved.\nReports: 3 graded, 0 unchanged, 0 pending.\n');
    expect(err).toMatch(/^Batch {3}regrade\/due; .+\n {8}\S+/);
    expect(code).toBe(0);
    expect(await gradeCount(ids)).toBe(3);
  });

  test('prints one JSON document with --json, and exits with 1 when something failed', async () => {
    const { eventId, ids } = await planted(1, { outcomes: [] });
    const { code, out } = await council(['regrade', '--event', eventId, '--json'], env);
    expect(JSON.parse(out)).toEqual({
      batch: `regrade/event/${eventId}`,
      events: 1,
      resolved: 1,
      graded: 0,
      pending: 0,
      unchanged: 0,
      failed: 1,
      failures: [{ subject: 'report', id: String(ids[0]), reason: 'record_unreadable' }],
    });
    expect(code).toBe(1);
    const { out: text } = await council(['regrade', '--event', eventId], env);
    expect(text).toContain(`\n  report ${ids[0]}: its entry in the record cannot be read\n`);
  });

  test('finds the service on this machine, and grades since a day or all without changing existing grades', async () => {
    const { ids } = await planted(2);
    recordRunning(home, { databaseUrl: 'none', url: 'none', temporalAddress: address });
    const here = { TEMPORAL_NAMESPACE: namespace, COUNCIL_HOME: home };
    expect((await council(['regrade', '--since', '2020-01-01'], here)).out).toContain(
      '2 graded, 3 unchanged',
    );
    expect((await council(['regrade', '--all'], here)).out).toContain('0 graded, 5 unchanged');
    expect(await gradeCount(ids)).toBe(2);
  });

  test('leaves the batch running when it is killed, and joins it on the next run', async () => {
    const { eventId, ids } = await planted(2);
    const answer = markets.close();
    const first = startCouncil(['regrade', '--event', eventId], env);
    await until('the batch is running', () => shownBy(first).includes('resolving'));
    first.child.kill('SIGKILL');
    expect((await first.ended).code).toBeNull();
    const batch = service.temporal.workflow.getHandle(`regrade/event/${eventId}`);
    const { runId, status } = await batch.describe();
    expect(status.name).toBe('RUNNING');

    const again = startCouncil(['regrade', '--event', eventId], env);
    await until('the batch is shown again', () => shownBy(again).includes('resolving'));
    answer();
    expect((await again.ended).code).toBe(0);
    expect(shownBy(again)).toContain('2 graded, 0 unchanged');
    expect((await batch.describe()).runId).toBe(runId);
    expect(await gradeCount(ids)).toBe(2);
  });

  test('--since and --until grade the days of a range, both included', async () => {
    const before = await planted(1, {}, '2019-03-01T23:59:59.999Z');
    const first = await planted(1, {}, '2019-03-02T00:00:00Z');
    const last = await planted(1, {}, '2019-03-04T23:59:59.999Z');
    const after = await planted(1, {}, '2019-03-05T00:00:00Z');
    const { code, out } = await council(
      ['regrade', '--since', '2019-03-02', '--until', '2019-03-04', '--json'],
      env,
    );
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({
        batch: 'regrade/since/2019-03-02/until/2019-03-04',
        events: 2,
        graded: 2,
        failed: 0,
      }),
    ]);
    expect(await gradeCount([...first.ids, ...last.ids])).toBe(2);
    expect(await gradeCount([...before.ids, ...after.ids])).toBe(0);
  });

  test.each([
    [['--until', '2019-03-04'], '--until needs --since'],
    [['--since', '2019-03-04', '--until', '2019-02-30'], '--until: 2019-02-30 is not a date'],
    [['--since', '2019-03-04', '--until', '2019-03-03'], 'is before --since'],
  ])('%j is refused', async (options, message) => {
    const { code, err } = await council(['regrade', ...options], env);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('--out writes counts, each failure, and each report that got another grade, with why', async () => {
    const kept = await planted(1, {}, '2018-03-01T12:00:00Z');
    const changed = await planted(2, {}, '2018-03-02T12:00:00Z');
    const disputed = await planted(1, {}, '2018-03-02T12:00:00Z');
    markets.responses.set(disputed.eventId, 'disputed');
    const file = join(home, 'range.json');
    const withDatabase = { ...env, DATABASE_URL: service.database.url };
    const range = ['regrade', '--since', '2018-03-01', '--until', '2018-03-03', '--out', file];
    const written = async () => JSON.parse(await readFile(file, 'utf8'));
    expect((await council(range, withDatabase)).code).toBe(0);
    const first = await written();
    expect(first).toMatchObject({
      finished: true,
      graded: 4,
      failed: 0,
      failures: [],
      failures_not_named: 0,
    });
    expect(first.changes).toHaveLength(4);
    expect(first.changes[0]).toEqual({
      report_id: kept.ids[0],
      old_state: null,
      new_state: 'graded',
      why: 'first_grade',
      graded_at: expect.any(String),
    });
    markets.responses.set(changed.eventId, 'void');
    markets.responses.set(disputed.eventId, 'yes');
    const broken = await planted(51, { outcomes: [] }, '2018-03-03T12:00:00Z');
    const again = await council([...range, '--json'], withDatabase);
    expect([again.code, JSON.parse(again.out).failures.length]).toEqual([1, 50]);
    const { changes, failures, ...rest } = await written();
    expect(rest).toMatchObject({ batch: JSON.parse(again.out).batch, graded: 3, unchanged: 1, failed: 51 });
    expect(rest.failures_not_named).toBe(0);
    expect(
      failures.map(({ id }: { id: string }) => Number(id)).toSorted((a: number, b: number) => a - b),
    ).toEqual(broken.ids);
    expect(changes).toMatchObject([
      ...changed.ids.map(id => ({
        report_id: id,
        old_state: 'graded',
        new_state: 'void',
        why: 'result_changed',
      })),
      { report_id: disputed.ids[0], old_state: 'disputed', new_state: 'graded', why: 'dispute_ended' },
    ]);
  });

  test('--out has all of a batch whose command was killed, whenever it is typed again', async () => {
    const { eventId, ids } = await planted(2);
    const file = join(home, 'killed.json');
    const options = ['regrade', '--event', eventId, '--out', file];
    const withDatabase = { ...env, DATABASE_URL: service.database.url };
    const answer = markets.close();
    const first = startCouncil(options, withDatabase);
    await until('the batch is running', () => shownBy(first).includes('resolving'));
    first.child.kill('SIGKILL');
    await first.ended;
    answer();
    await service.temporal.workflow.getHandle(`regrade/event/${eventId}`).result();
    expect(JSON.parse(await readFile(file, 'utf8')).finished).toBe(false);
    const again = await council(options, withDatabase);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('0 graded, 2 unchanged')]);
    const { finished, changes } = JSON.parse(await readFile(file, 'utf8'));
    expect([finished, changes.map((change: { report_id: number }) => change.report_id)]).toEqual([true, ids]);
  });

  test('says what to do when it finds no Temporal server', async () => {
    const { code, err } = await council(['regrade'], { COUNCIL_HOME: join(home, 'nowhere') });
    expect(err).toContain('Set TEMPORAL_ADDRESS, or start the service here');
    expect(code).toBe(1);
  });
});
