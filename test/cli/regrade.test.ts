import { mkdtemp, rm } from 'node:fs/promises';
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

async function planted(count: number, more: { outcomes?: [] } = {}) {
  const eventId = `event-${++events}`;
  const reports = await plantReports(
    service.database,
    Array.from({ length: count }, () => twoSided(70, 55, { claude: 75 }, { event_id: eventId, ...more })),
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

  test('says what to do when it finds no Temporal server', async () => {
    const { code, err } = await council(['regrade'], { COUNCIL_HOME: join(home, 'nowhere') });
    expect(err).toContain('Set TEMPORAL_ADDRESS, or start the service here');
    expect(code).toBe(1);
  });
});
