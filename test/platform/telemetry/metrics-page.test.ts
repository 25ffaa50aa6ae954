import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MoneyInFlight } from '../../../db/ledger/money-in-flight.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { isInternal, metricsPage } from '../../../platform/telemetry/metrics-page.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { parseSamples, total } from '../../support/machine/scrape.js';

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  isInternal({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

describe('metrics are served to', () => {
  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fd00::1',
  ])('%s on this machine or its private network', address => {
    expect(from(address)).toBe(true);
  });

  test.each([
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '192.169.0.1',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    'fe80::1%eth0',
    'nonsense',
    '',
    undefined,
  ])('no request from %s', address => {
    expect(from(address)).toBe(false);
  });

  test.each(['x-forwarded-for', 'forwarded'])('no request through a proxy, according to %s', header => {
    expect(from('127.0.0.1', { [header]: '127.0.0.1' })).toBe(false);
  });
});

const taken = { spentUsdMicros: 1_250_000, committedUsdMicros: 400_000, openRuns: 1 };
const readHouse = () => Promise.resolve({ all: taken, weekly_grants: { ...taken, spentUsdMicros: 0 } });
const policy = { ...unlimitedSales, grantLimitUsdMicros: 20_000_000 };
const money: MoneyInFlight = {
  runs: 2,
  credits: 240,
  oldestSeconds: 7,
  usageWaiting: 3,
  paymentFindings: 4,
  paymentAlerts: 5,
  unsealedOldestSeconds: 6,
  usageOldestSeconds: 9,
};

const read = () => Promise.resolve(money);
const pageWith = (changes: Partial<Parameters<typeof metricsPage>[0]> = {}) =>
  metricsPage({
    metrics: createMetrics(),
    readMoney: read,
    readHouse,
    readLostBuilds: null,
    policy,
    sdkUrl: null,
    ...changes,
  });
const readSamples = async (changes: Parameters<typeof pageWith>[0] = {}) =>
  parseSamples(await pageWith(changes)());

describe('the metrics page', () => {
  test('shows the ledger’s metrics', async () => {
    const samples = await readSamples();
    const names = [
      'runs_in_flight',
      'credits_in_flight',
      'oldest_run_seconds',
      'usage_waiting',
      'oldest_usage_seconds',
      'payment_findings',
      'payment_alerts',
      'oldest_unsealed_entry_seconds',
    ];
    expect(names.map(name => total(samples, `council_${name}`))).toEqual([2, 240, 7, 3, 9, 4, 5, 6]);
    expect(total(samples, 'council_database_up')).toBe(1);
  });

  test('shows what waits of webhooks where it is read, and nothing that is not known', async () => {
    const figures = { pending: 5, oldestSeconds: 90, unhandedSeconds: 2, due: 1, failingEndpoints: 3 };
    const names = [
      'webhooks_pending',
      'oldest_webhook_seconds',
      'oldest_unhanded_webhook_seconds',
      'webhooks_due',
      'webhooks_failing',
    ];
    const samples = await readSamples({ readWebhooks: () => Promise.resolve(figures) });
    expect(names.map(name => total(samples, `council_${name}`))).toEqual([5, 90, 2, 1, 3]);
    const away = await readSamples({ readWebhooks: () => Promise.reject(new Error('away')) });
    expect(names.map(name => total(away, `council_${name}`))).toEqual(names.map(() => Number.NaN));
  });

  test('shows what the house takes on today, in dollars, beside its ceilings', async () => {
    const samples = await readSamples();
    const cost = (ceiling: string, part: string) =>
      total(samples, 'council_house_cost_usd', { ceiling, part });
    expect([cost('all', 'spent'), cost('all', 'committed')]).toEqual([1.25, 0.4]);
    expect([cost('weekly_grants', 'spent'), cost('weekly_grants', 'committed')]).toEqual([0, 0.4]);
    const limit = (ceiling: string) => total(samples, 'council_house_limit_usd', { ceiling });
    expect([limit('all'), limit('weekly_grants')]).toEqual([Infinity, 20]);
  });

  test('drops the ledger’s metrics if the database can no longer be read', async () => {
    let isAway = false;
    const page = pageWith({
      readMoney: () => (isAway ? Promise.reject(new Error('away')) : read()),
      readHouse: () => (isAway ? Promise.reject(new Error('away')) : readHouse()),
    });
    expect(total(parseSamples(await page()), 'council_runs_in_flight')).toBe(2);
    isAway = true;
    const samples = parseSamples(await page());
    expect(total(samples, 'council_runs_in_flight')).toBeNaN();
    expect(total(samples, 'council_house_cost_usd', { ceiling: 'all', part: 'spent' })).toBeNaN();
  });

  test('names each build that open runs wait for, as long as they do', async () => {
    const lost: string[][] = [['one', 'two'], ['two'], []];
    const page = pageWith({ readLostBuilds: () => Promise.resolve(lost.shift() ?? []) });
    const named = async () =>
      parseSamples(await page())
        .filter(({ name, value }) => name === 'council_build_without_workers' && value === 1)
        .map(({ labels }) => labels['build']);
    expect([await named(), await named(), await named()]).toEqual([['one', 'two'], ['two'], []]);
  });

  test('has no audit metrics before the first audit', async () => {
    const samples = await readSamples();
    expect(samples.filter(({ name }) => name.startsWith('council_ledger'))).toEqual([]);
  });
});

describe('the metrics of the Temporal SDK', () => {
  let sdk: Server;
  let url: string;

  beforeAll(async () => {
    sdk = createServer((request, response) => {
      if (request.url === '/metrics') response.end('temporal_num_pollers{task_queue="q"} 5\n');
    });
    await new Promise<void>(resolve => sdk.listen(0, '127.0.0.1', resolve));
    const address = sdk.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });

  afterAll(() => {
    sdk.close();
    sdk.closeAllConnections();
  });

  test('are on the same page', async () => {
    const samples = await readSamples({ sdkUrl: `${url}/metrics` });
    expect(total(samples, 'temporal_num_pollers')).toBe(5);
    expect(total(samples, 'council_runs_in_flight')).toBe(2);
  });

  test('do not affect the page if they or the database fail or do not respond', async () => {
    const startMs = performance.now();
    const aways = [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)];
    const nowheres = [`${url}/hangs`, 'http://127.0.0.1:1/metrics'];
    // All at once: two of them take a whole time-out.
    const [withoutDatabase, withoutSdk] = await Promise.all([
      Promise.all(aways.map(readMoney => readSamples({ readMoney }))),
      Promise.all(nowheres.map(sdkUrl => readSamples({ sdkUrl }))),
    ]);
    for (const samples of withoutDatabase) {
      expect(total(samples, 'council_database_up')).toBe(0);
      expect(total(samples, 'council_credits_in_flight')).toBeNaN();
      expect(total(samples, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    }
    for (const samples of withoutSdk) expect(total(samples, 'council_runs_in_flight')).toBe(2);
    expect(performance.now() - startMs).toBeLessThan(8_000);
  });
});
