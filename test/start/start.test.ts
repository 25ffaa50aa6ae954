import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { firstStart } from '../../cli/launch/first-start.js';
import { findRunning } from '../../cli/launch/running-service.js';
import { verifyRecord } from '../../db/track-record/verify-record.js';
import { readSettings } from '../../platform/settings/settings.js';
import { redoNumbers } from '../support/dump/redo-numbers.js';
import { testPort } from '../support/test-port.js';
import { processTestMs, until } from '../support/until.js';
import { LaunchedService, processesOf } from './launched-service.js';

let service: LaunchedService;
let url: string;
let key: string;

/** The addresses that the command line would find when the API first says that it is ready. */
let foundWhenReady: ReturnType<typeof findRunning>;
/** What was printed until then and with the line `Ready`. */
let firstOutput = '';

beforeAll(async () => {
  service = await LaunchedService.inNewHome();
  const port = await testPort();
  const findWhenReady = async () => {
    await until('the API is ready', () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    foundWhenReady = findRunning(service.home);
  };
  [url] = await Promise.all([service.start({ PORT: String(port) }), findWhenReady()]);
  firstOutput = service.output;
  key = service.key;
}, processTestMs);

afterAll(() => service.remove(), processTestMs);

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', prefer: 'wait=20' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function untilEnded(id: number): Promise<any> {
  for (;;) {
    const report = await call('GET', `/api/reports/${id}`);
    if (report.status === 'completed' || report.status === 'failed') return report;
  }
}

async function query(sql: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: findRunning(service.home)?.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const unused = (): never => {
  throw new Error('a first start without a demo needs no Temporal');
};

describe('npm start', () => {
  test('creates a demo account with credits, one key and a sample report, and shows its secrets once', async () => {
    const report = await untilEnded(1);
    expect(report).toMatchObject({ status: 'completed', council_config: { runtime: { simulated: true } } });
    const { balance_credits } = await call('GET', '/api/credits/balance');
    expect(balance_credits).toBe(2_000);
    expect(service.output.match(/API key/g)).toHaveLength(1);
  });

  test('prints its progress, the account and the addresses, and nothing of its own requests', () => {
    const lines = firstOutput.split('\n');
    const last = lines.findIndex(line => line.startsWith('Ready: '));
    expect(lines.slice(0, last).filter(line => line.startsWith('{'))).toEqual([]);
    expect(lines.slice(0, last).join('\n')).toContain('Created a demo account');
  });

  test('logs requests and mails from then on', async () => {
    const email = 'someone@example.test';
    const body = JSON.stringify({ email, password: 'a long and rare password', name: 'Someone' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body });
    await until(
      'both are logged',
      () => /"msg":"request"/.test(service.output) && service.output.includes(`"to":"${email}"`),
    );
    expect(service.output).not.toContain('the report is completed');
  });

  test('leads the command line to its addresses before it says that it is ready', () => {
    expect(foundWhenReady).toMatchObject({ url });
  });

  test('prints where the metrics of the API are, which its own port does not have', async () => {
    const metricsUrl = /Metrics (http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(service.output)?.[1] ?? '';
    expect(await (await fetch(metricsUrl)).text()).toContain('council_http_request_seconds');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  test('runs without the owner of its tables, who only migrates', async () => {
    const sessions = await query(
      `select distinct usename as role from pg_stat_activity where datname = 'council' and usename is not null`,
    );
    expect(sessions).toEqual([{ role: 'council_service' }]);
  });

  test('has a sample record: simulated reports, graded by the workers, whose numbers are all computed again', async () => {
    const readRecord = () => call('GET', '/api/stats/track-record');
    await until('the workers have graded it', async () => {
      const { as_of: calculatedAt, counts } = await readRecord();
      return calculatedAt !== null && counts.pending === 1;
    });
    const { simulated, counts, verdict_text: verdict, calibration } = await readRecord();
    expect(simulated).toBe(true);
    expect(counts).toMatchObject({ pending: 1, failed: 0, disputed: 0 });
    expect(counts.graded).toBeGreaterThanOrEqual(120);
    expect(verdict).not.toContain('collecting');
    expect(calibration.filter(({ n }: any) => n >= 10)).toHaveLength(10);

    const { reports } = await call('GET', '/api/reports?per_page=2');
    expect(reports.map(({ id }: any) => id)).toEqual([1, counts.completed]);
    const last = await call('GET', `/api/reports/${counts.completed}`);
    expect(last).toMatchObject({
      simulated: true,
      grade: { state: 'graded' },
      record: { seq: expect.any(Number) },
    });
    expect(last.summary).toMatch(/^From the sample record/);
    const { balance_credits, weekly_grant } = await call('GET', '/api/credits/balance');
    expect([balance_credits, weekly_grant.available]).toEqual([2_000, false]);

    await service.withDb(async db => {
      expect(await verifyRecord(db)).toMatchObject({ entries: 2 * counts.completed, faults: [] });
      const { redone, differences } = await redoNumbers(db);
      expect({ ...redone, differences }).toEqual({
        reports: counts.completed,
        grades: counts.completed - 1,
        quotes: 1,
        differences: [],
      });
    });
  });

  test('makes no sample record with live models or with real markets, and keeps it apart from live reports', async () => {
    const home = { COUNCIL_HOME: `${service.home}/elsewhere` };
    const places = { databaseUrl: '', url: '', temporal: unused };
    for (const env of [{ XAI_API_KEY: 'key' }, { MARKETS: 'polymarket' }]) {
      expect(await firstStart({ settings: readSettings({ ...home, ...env }), ...places })).toBeNull();
    }
    expect(await query('select 1 from reports where not simulated')).toEqual([]);
    const [live] = await query('select body from track_records where not simulated');
    expect(live.body).toMatchObject({ events: 0, council: { n: 0 } });
  });

  test('keeps its secrets readable by their owner only', () => {
    for (const file of ['encryption-keys', 'postgres.json', 'running.json']) {
      expect(statSync(join(service.home, file)).mode & 0o077).toBe(0);
    }
  });

  test('refuses a second start on the same COUNCIL_HOME and names the process that uses it', async () => {
    const second = Object.assign(Object.create(service), { child: null });
    await expect(LaunchedService.prototype.start.call(second)).rejects.toThrow(
      /already in use by process \d+/,
    );
  });

  test('recovers after kill -9 of all its processes in the middle of a run', async () => {
    const { report_id } = await call('POST', '/api/reports', { event_id: 'sample-chess-knockout-2031' });
    await until('a first model has answered', async () => {
      const rows = await query(`select 1 from stage_results where report_id = ${report_id}`);
      return rows.length > 0;
    });
    for (const pid of processesOf(service.home)) process.kill(pid, 'SIGKILL');
    await service.exited();

    url = await service.start();
    expect(service.output).not.toContain('API key');
    const report = await untilEnded(report_id);
    expect(report.status).toBe('completed');
    const { entries } = await call('GET', '/api/credits/ledger');
    const charges = entries.filter((entry: any) => entry.report_id === report_id);
    expect(charges.map((entry: any) => entry.kind)).toEqual(['charge']);
    const paidTwice = await query(`
      select stage, model from provider_calls where report_id = ${report_id} and outcome = 'answered'
      group by stage, model having count(*) > 1`);
    expect(paidTwice).toEqual([]);
  });

  test('ends in order on SIGTERM and leaves no process running', async () => {
    service.signal('SIGTERM');
    expect(await service.exited()).toBe(0);
    expect(processesOf(service.home)).toEqual([]);
    expect(findRunning(service.home)).toBeNull();
  });
});
