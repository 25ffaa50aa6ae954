import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { projectFiles } from '../../platform/settings/project-files.js';
import { readTemporalManifest } from '../../platform/temporal/manifest.js';
import { gradingProgress } from '../../workflows/batch-progress.js';
import type { regrade } from '../../workflows/regrade.js';
import { sendJson, startFakeGamma } from '../markets/polymarket/fake-gamma.js';
import { gammaEvent, gammaMarket } from '../markets/polymarket/gamma-fixtures.js';
import { twoSided } from '../record/grade-fixtures.js';
import type { History } from '../support/expect/readable-history.js';
import { plantReports } from '../support/record/plant-record.js';
import { useFleet } from '../support/service/fleet.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import { processTestMs, until } from '../support/until.js';

const reportsInAll = 2_000;
const eventsInAll = 200;
const memoryMaxMb = 600;
const manifest = readTemporalManifest(projectFiles.temporalManifest);

const fleet = await useFleet({ isSimulated: true });
const polymarket = await startFakeGamma(({ url }, response) =>
  sendJson(
    response,
    url.pathname === '/v2/resolutions'
      ? { data: [resolved(url.searchParams.get('condition') ?? '')] }
      : ended(url.pathname.split('/').at(-1) ?? ''),
  ),
);
afterAll(() => polymarket.close());
let worker: ServiceProcess;

/** The number of an event is the condition of its market. */
function ended(id: string) {
  const market = gammaMarket({ id: 'm-Rain', closed: true, conditionId: `0x${id.padStart(64, '0')}` });
  return gammaEvent({ id, closed: true, markets: [market] });
}

/** Won by YES, or lost, by the number of the event. */
function resolved(condition: string) {
  const price = Number.parseInt(condition.slice(-1), 10) % 2 === 0 ? '1000000000000000000' : '0';
  return { condition_id: condition, status: 'resolved', price, resolved_at: '2031-03-01T00:00:00Z' };
}

function memoryMb(): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

async function graded(): Promise<{ n: number; reports: number }> {
  const { rows } = await fleet.database.pool.query(
    'select count(*)::int as n, count(distinct report_id)::int as reports from grades',
  );
  return rows[0];
}

/** Steps that were under way at the same time. */
function mostAtOnce(events: NonNullable<History['events']>): number {
  let [now, most] = [0, 0];
  for (const event of events) {
    if (event.activityTaskScheduledEventAttributes != null) now++;
    if (event.activityTaskCompletedEventAttributes != null) now--;
    most = Math.max(most, now);
  }
  return most;
}

test(
  `${reportsInAll} reports are each graded once by a worker that is killed half-way, in bounded memory`,
  async () => {
    const { database, temporal } = fleet;
    await plantReports(
      database,
      Array.from({ length: reportsInAll }, (_, index) =>
        twoSided(70, 55, { claude: 75, gpt: 65 }, { event_id: String(1_000 + (index % eventsInAll)) }),
      ),
    );
    await database.pool.query(`update events set source = 'polymarket'`);
    worker = await fleet.add('worker', {
      MARKETS: 'polymarket',
      POLYMARKET_GAMMA_URL: polymarket.baseUrl,
      POLYMARKET_DATA_URL: polymarket.baseUrl,
    });
    const batch = await temporal.workflow.start<typeof regrade>('regrade', {
      workflowId: 'regrade/due',
      taskQueue: manifest.task_queue,
      args: [{ selection: { kind: 'due' }, settings: manifest.grading }],
    });
    const memory: number[] = [];
    await until('a third is graded', graded, ({ n }) => n > reportsInAll / 3);
    memory.push(memoryMb());
    worker.kill('SIGKILL');
    await worker.ended();
    expect((await graded()).n).toBeLessThan(reportsInAll);

    worker.start();
    for (const share of [0.5, 0.75, 0.95]) {
      await until(`${share} of them are graded`, graded, ({ n }) => n >= reportsInAll * share);
      memory.push(memoryMb());
    }
    const result = await batch.result();
    expect(result).toMatchObject({ failed: 0, pending: 0, events: eventsInAll, resolved: eventsInAll });
    expect(result.graded + result.unchanged).toBe(reportsInAll);
    expect(await graded()).toEqual({ n: reportsInAll, reports: reportsInAll });
    expect(await batch.query(gradingProgress)).toMatchObject({ phase: 'done', of: reportsInAll });
    expect(Math.max(...memory)).toBeLessThan(memoryMaxMb);
    for await (const { runId } of temporal.workflow.list({ query: 'WorkflowId = "regrade/due"' })) {
      const { events } = await temporal.workflow.getHandle('regrade/due', runId).fetchHistory();
      expect(events?.length).toBeLessThan(4_096);
      expect(mostAtOnce(events ?? [])).toBeLessThanOrEqual(manifest.grading.window);
    }
  },
  2 * processTestMs,
);
