import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runFailures } from '../../../council/report.js';
import { namedMetrics } from '../../support/machine/named-metrics.js';
import { exportedNames, type Sample, scrape, total } from '../../support/machine/scrape.js';
import { until } from '../../support/until.js';
import { causeFailures, events, startEventfulService } from '../support/eventful-service.js';

/** The metrics and logs of an API and a worker, read from the processes as they are shipped. */
const { service, callers } = await startEventfulService();
afterAll(() => service.stop());

const api = () => scrape(service.api.metricsUrl);
const worker = () => scrape(service.worker.metricsUrl);

const rows = async (statement: string): Promise<any[]> => (await service.database.pool.query(statement)).rows;

const audit = () => service.temporal.workflow.getHandle('maintenance/check-ledger').executeUpdate('runNow');

const audited = 'council_ledger_audited_timestamp_seconds';

/** Every outcome of a report and of a request, once. */
beforeAll(async () => {
  await audit();
  await until('the books were audited', async () => total(await worker(), audited) > 0);
  await causeFailures(service);
}, 180_000);

describe('the metrics', () => {
  test('that an alert, a panel or the document uses are exported by an API or a worker', async () => {
    const exported = new Set([
      ...(await exportedNames(service.api.metricsUrl)),
      ...(await exportedNames(service.worker.metricsUrl)),
    ]);
    const used = namedMetrics();
    expect(used.size).toBeGreaterThan(25);
    expect([...used].filter(([name]) => !exported.has(name))).toEqual([]);
  });

  test('agree with the database', async () => {
    const [atApi, atWorker] = [await api(), await worker()];
    const [purchases] = await rows(`select count(*) filter (where kind = 'fresh') as fresh,
      count(*) filter (where kind = 'cached') as cached from report_purchases`);
    const sold = (answer: string) => total(atApi, 'council_purchases_total', { answer });
    expect([sold('fresh'), sold('cached'), sold('owned')]).toEqual([purchases.fresh, purchases.cached, 1]);
    expect(sold('insufficient_credits')).toBe(1);

    const calls = await rows(
      'select model, stage, outcome, count(*) as calls from provider_calls group by 1, 2, 3',
    );
    expect(calls.map(({ outcome }) => outcome)).toContain('unauthorised');
    const name = 'council_model_call_seconds_count';
    for (const { calls: count, ...labels } of calls) expect(total(atWorker, name, labels)).toBe(count);
    expect(total(atWorker, name)).toBe(calls.reduce((sum, { calls: count }) => sum + count, 0));

    const [tokens] = await rows(
      `select sum(input_tokens)::bigint as input, sum(output_tokens)::bigint as output,
        sum(cached_input_tokens)::bigint as cached from provider_calls`,
    );
    const counted = (direction: string) => total(atWorker, 'council_model_tokens_total', { direction });
    expect([counted('input'), counted('output')]).toEqual([tokens.input, tokens.output]);
    expect(tokens.cached).toBeGreaterThan(0);
    expect(total(atWorker, 'council_model_cached_tokens_total')).toBe(tokens.cached);
  });

  test('count every end of a run once, and every refunded credit', async () => {
    const samples = await worker();
    const ends = (end: string) => total(samples, 'council_reports_total', { end });
    expect([ends('completed'), ends('degraded'), ends('quorum_lost')]).toEqual([1, 1, 1]);
    expect(total(samples, 'council_reports_total')).toBe(3);
    expect(total(samples, 'council_dropouts_total')).toBe(1);
    expect(total(samples, 'council_dropouts_total', { model: 'grok', kind: 'unauthorised' })).toBe(1);
    const [refunds] = await rows(`select sum(abs(amount_credits))::bigint / 2 as credits
      from ledger_entries where transfer_id in (select id from ledger_transfers where kind = 'refund')`);
    expect(refunds.credits).toBeGreaterThan(0);
    expect(total(samples, 'council_refunded_credits_total')).toBe(refunds.credits);
    expect(total(samples, 'council_refunded_credits_total', { failure: 'quorum_lost' })).toBe(
      refunds.credits,
    );
  });

  test('of failures start at 0, so that the first failure is visible as an increase', async () => {
    const samples = await worker();
    const failures = samples.filter(({ name }) => name === 'council_refunded_credits_total');
    expect(new Set(failures.map(({ labels }) => labels['failure']))).toEqual(
      new Set(Object.keys(runFailures)),
    );
  });
});

describe('the labels', () => {
  const series = (samples: readonly Sample[]) =>
    samples
      .filter(({ name }) => name.startsWith('council_'))
      .map(({ name, labels }) => JSON.stringify([name, labels]));

  test('contain no account, report, event, key or address', async () => {
    const ids = await rows(`select id::text from accounts union all select id::text from api_keys
      union all select workflow_id from reports union all select seed::text from reports union all select event_id from events
      union all select email from accounts where email is not null union all select key_prefix from api_keys`);
    const secrets = [...ids.map(({ id }) => id), ...callers.flatMap(({ key, session }) => [key, session])];
    expect(secrets.length).toBeGreaterThan(15);
    const values = [...(await api()), ...(await worker())].flatMap(({ labels }) => Object.values(labels));
    for (const secret of secrets) {
      expect(values.filter(value => value.includes(secret))).toEqual([]);
    }
  });

  test('name routes by their pattern, for every spelling of a path and every status', async () => {
    const routes = new Set(
      (await api())
        .filter(({ name }) => name === 'council_http_request_seconds_count')
        .map(({ labels }) => `${labels['method']} ${labels['route']} ${labels['status']}`),
    );
    expect(routes).toContain('GET /api/reports/:id 404');
    expect(routes).toContain('POST /api/reports 202');
    expect(routes).toContain('GET /{*path} 404');
    expect(routes).toContain('POST none 404');
    expect([...routes].filter(route => /API|rePORTS|wp-login|77/.test(route))).toEqual([]);
  });

  test('do not grow in number with the requested paths', async () => {
    const [caller] = callers;
    if (caller === undefined) throw new Error('there is no caller');
    const before = series(await api());
    for (let number = 100; number < 140; number++) {
      await Promise.all([
        caller.get(`/api/reports/${number}`),
        caller.get(`/API/Reports/${number}`),
        caller.get(`/api/nothing-${number}`),
      ]);
    }
    expect(series(await api())).toEqual(before);
  });
});

describe('/metrics', () => {
  test('is not served through a proxy', async () => {
    for (const { metricsUrl: url } of [service.api, service.worker]) {
      for (const header of ['x-forwarded-for', 'forwarded']) {
        const answer = await fetch(`${url}/metrics`, { headers: { [header]: 'for=192.0.2.7' } });
        expect([url, answer.status]).toEqual([url, 404]);
        expect(await answer.text()).not.toContain('council_');
      }
      expect((await fetch(`${url}/metrics`)).status).toBe(200);
    }
  });

  test('is not at the port of the callers, for anybody', async () => {
    const answer = await fetch(`${service.api.url}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining('council_')]);
  });

  test('shows the credits in flight, and none when the run has ended', async () => {
    const caller = await service.newCaller(1_000);
    service.simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
    const { body } = await caller.buy(events.hanging);
    for (const samples of [await api(), await worker()]) {
      expect(total(samples, 'council_runs_in_flight')).toBe(1);
      expect(total(samples, 'council_credits_in_flight')).toBe(body.credits_spent);
      expect(total(samples, 'council_oldest_run_seconds')).toBeGreaterThan(0);
    }
    await service.temporal.workflow.getHandle(caller.workflowId(events.hanging)).cancel();
    await caller.untilEnded(body.report_id);
    service.simulator.clearFaults();
    const samples = await api();
    expect(total(samples, 'council_runs_in_flight')).toBe(0);
    expect(total(samples, 'council_credits_in_flight')).toBe(0);
    const cancelled = total(await worker(), 'council_reports_total', { end: 'cancelled' });
    expect(cancelled).toBe(1);
  });

  test('shows the result of the last audit, and nothing in a process that made none', async () => {
    const before = total(await worker(), audited);
    expect(total(await worker(), 'council_ledger_drift_sentences')).toBe(0);
    expect((await api()).filter(({ name }) => name.startsWith('council_ledger'))).toEqual([]);

    await service.database.pool.query('alter table report_purchases disable trigger purchases_end_once');
    await service.database.pool.query(
      "update report_purchases set credits = credits + 1 where state = 'refunded'",
    );
    await expect(audit()).rejects.toThrow('Workflow Update failed');
    await until(
      'the books were audited again',
      async () => total(await worker(), audited),
      at => at > before,
    );
    expect(total(await worker(), 'council_ledger_drift_sentences')).toBeGreaterThan(0);
  });

  test('is served while the database is unavailable, says so, and omits the figures from the database', async () => {
    await service.databaseProxy.cut();
    for (const read of [api, worker]) {
      const begun = performance.now();
      const samples = await read();
      expect(performance.now() - begun).toBeLessThan(8_000);
      expect(total(samples, 'council_database_up')).toBe(0);
      expect(total(samples, 'council_runs_in_flight')).toBeNaN();
      expect(total(samples, 'council_reports_total') >= 0).toBe(true);
    }
    await service.databaseProxy.restore();
    for (const read of [api, worker]) {
      await until('the database is back', async () => total(await read(), 'council_database_up') === 1);
    }
  });
});

describe('the logs', () => {
  test('of a worker name the run and the report of a failed call and of a refunded run', async () => {
    const [{ id, workflow_id }] = await rows(
      "select id, workflow_id from reports where failure_code = 'quorum_lost'",
    );
    const lines = (await service.logOf(service.worker)).filter(({ reportId }) => reportId === id);
    const failed = lines.filter(({ kind }) => kind === 'unauthorised').map(({ stage }) => String(stage));
    expect(failed.sort()).toEqual([...Array(4).fill('opinions'), ...Array(3).fill('research')]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'the run failed and its charge was refunded',
        workflowId: workflow_id,
        failure: 'quorum_lost',
        activityType: 'refundReport',
      }),
    );
    for (const line of lines) expect(line['workflowId']).toBe(workflow_id);
  });

  test('of an API name the account, the key and the report of a request', async () => {
    const [{ id, account_id, api_key_id }] = await rows(`select report_id as id, account_id, api_key_id
      from report_purchases where state = 'refunded' limit 1`);
    const lines = await service.logOf(service.api);
    const sold = lines.filter(({ report_id, method }) => report_id === id && method === 'POST');
    expect(sold).toEqual([
      expect.objectContaining({
        level: 30,
        msg: 'request',
        route: '/api/reports',
        status: 202,
        account_id,
        api_key_id,
      }),
    ]);
  });

  test('are one JSON object per line, and contain no key of the service or of a caller', async () => {
    for (const each of [service.api, service.worker]) {
      const lines = await service.logOf(each);
      expect(lines.length).toBeGreaterThan(3);
      const text = JSON.stringify(lines);
      expect(text).not.toMatch(/canary-/);
      for (const { key, session } of callers) {
        expect(text).not.toContain(key);
        expect(text).not.toContain(session);
      }
    }
  });
});
