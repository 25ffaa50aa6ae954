import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { batchResultShape } from '../../../contract/batches/batch-results.js';
import { listRows } from '../../../db/batches/batch-rows.js';
import { readBatch } from '../../../db/batches/batches.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTwoServices } from '../../support/use-service.js';
import { startBatch, untilHeld } from '../../workflows/support/batches.js';
import { cellsOf, type Download, downloadResults, linesOf } from './support/download-results.js';
import { storeCompletedBatch } from './support/store-batch.js';

const copies = createSampleEventCopies();
const [first, second] = await useTwoServices(
  { markets: copies, stageDeadlinesMs: longDeadlines },
  { worker: false },
);
const { db } = first.database;
const evilTitle = '=HYPERLINK("http://evil.example","10,5\n")';
const formats = ['ndjson', 'csv', 'forecastbench'] as const;

afterEach(() => first.simulator.clearFaults());

const download = (caller: TestCaller, id: string, asked: Download = {}) =>
  downloadResults(caller, id, { of: first, ...asked });
const newEvent = (sample = 'sample-fed-cut-2031') => copies.retell(sample);

/** A batch with a row in every state in which rows of an ended batch can be. */
async function endedBatch() {
  const owner = await first.newCaller(100_000);
  const other = await first.newCaller(1_000);
  const [shared, owned] = [newEvent(), newEvent()];
  await other.run(shared);
  await owner.run(owned);
  const evil = copies.retell('sample-fed-cut-2031', event => ({ ...event, title: evilTitle }));
  first.simulator.setFault({ stage: 'opinions' }, { kind: 'http', status: 401 });
  const eventIds = [newEvent(), shared, owned, evil, newEvent('sample-song-contest-2031'), '=1+1'];
  const id = await startBatch(first, owner, { eventIds, maxInFlight: 1 });
  await until('the first row runs', async () => (await readBatch(db, id)).rows.running === 1);
  await first.batchRuns.change(await readBatch(db, id), { status: 'paused' });
  await until('it has failed', async () => (await readBatch(db, id)).rows.failed === 1);
  first.simulator.clearFaults();
  await first.batchRuns.change(await readBatch(db, id), { status: 'running' });
  expect(await untilHeld(first, id)).toMatchObject({ status: 'completed' });
  return { owner, id, eventIds };
}

const ended = await endedBatch();

describe('the results of an ended batch', () => {
  test('are one line a row in its order, with the numbers of the reports and their entries', async () => {
    const { text, headers } = await download(ended.owner, ended.id);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = linesOf(text);
    expect(lines.map(({ event_id }) => event_id)).toEqual(ended.eventIds);
    expect(lines.map(({ state }) => state)).toEqual(['failed', ...Array(4).fill('completed'), 'refused']);
    const rows = await listRows(db, ended.id, { state: null, after: 0, limit: 500 });
    for (const [index, line] of lines.entries()) {
      expect(batchResultShape.strict().parse(line)).toEqual(line);
      expect(line.credits).toBe(rows[index]?.credits);
      if (line.report_id === null) continue;
      const { body } = await ended.owner.get(`/api/reports/${line.report_id}`);
      const { runtime } = body.council_config;
      expect(line).toMatchObject({
        venue: 'sample',
        event_title: body.event_title,
        state: body.status,
        council: runtime?.market_probabilities ?? null,
        market: runtime?.market_implied_probabilities ?? null,
        estimate: runtime?.estimate?.probabilities ?? null,
        confidence: body.confidence,
        degraded: runtime?.degraded ?? null,
        conflict: runtime?.consensus_market_conflict ?? null,
        record_seq: body.record.seq,
      });
    }
    expect(lines.at(-1)).toEqual({
      ...Object.fromEntries(Object.keys(lines[0]).map(name => [name, null])),
      event_id: '=1+1',
      state: 'refused',
      credits: 0,
    });
  });

  test.each(formats)(
    'have the same bytes each time at each process, and the digest of them: %s',
    async format => {
      const answers = [
        await download(ended.owner, ended.id, { format }),
        await download(ended.owner, ended.id, { format, of: second }),
        await download(ended.owner, ended.id, { format }),
      ];
      const [answer] = answers;
      if (answer === undefined) throw new Error('nothing was read');
      const base64 = createHash('sha256').update(answer.bytes).digest('base64');
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      for (const { bytes, headers, status } of answers) {
        expect(status).toBe(200);
        expect(bytes.equals(answer.bytes)).toBe(true);
        expect(headers.get('digest')).toBe(`sha-256=${base64}`);
        expect(headers.get('repr-digest')).toBe(`sha-256=:${base64}:`);
        expect(headers.get('content-length')).toBe(String(bytes.length));
        expect(headers.get('etag')).toBe(etag);
      }
      const known = await download(ended.owner, ended.id, { format, headers: { 'if-none-match': etag } });
      expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
      const head = await download(ended.owner, ended.id, { format, method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
    },
  );

  test('as CSV have the same values, and no cell that a spreadsheet would run', async () => {
    const lines = linesOf((await download(ended.owner, ended.id)).text);
    const { text, headers } = await download(ended.owner, ended.id, { format: 'csv' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [names = [], ...rows] = cellsOf(text);
    expect(names).toEqual(Object.keys(lines[0]));
    expect(rows).toHaveLength(lines.length);
    for (const [index, cells] of rows.entries()) {
      const line = lines[index];
      for (const [column, cell] of cells.entries()) {
        const value = line[names[column] ?? ''];
        expect(cell).not.toMatch(/^\s*[=+\-@]/);
        if (typeof value === 'string') expect(cell.replace(/^'/, '')).toBe(value);
        else expect(cell === '' ? null : JSON.parse(cell)).toEqual(value);
      }
    }
    const titles = rows.map(cells => cells[names.indexOf('event_title')]);
    expect(titles[3]).toBe(`'${evilTitle}`);
    expect(rows[5]?.[0]).toBe("'=1+1");
  });

  test('as a forecast set have a forecast for YES of each market with an estimate', async () => {
    const lines = linesOf((await download(ended.owner, ended.id)).text);
    const { text } = await download(ended.owner, ended.id, { format: 'forecastbench' });
    const { forecasts, ...set } = JSON.parse(text);
    const { createdAt } = await readBatch(db, ended.id);
    expect(set).toEqual({
      organization: 'Council Report Service',
      model: 'council of four models, council/2, simulated',
      question_set: ended.id,
      forecast_due_date: createdAt.toISOString().slice(0, 10),
    });
    const expected: object[] = [];
    for (const { report_id, estimate, state } of lines.filter(line => line.state === 'completed')) {
      const { body } = await ended.owner.get(`/api/reports/${report_id}`);
      const { markets, exclusive } = body.market_snapshot;
      expect(state).toBe('completed');
      for (const { market_id, market, outcomes } of markets) {
        const isSingle = markets.length === 1;
        const percent = estimate?.[isSingle ? outcomes[0] : market];
        if (percent === undefined || percent === null) continue;
        expect(exclusive || !isSingle || percent <= 100).toBe(true);
        expected.push({
          id: market_id,
          source: 'sample',
          forecast: Number((percent / 100).toFixed(3)),
          resolution_date: null,
          reasoning: body.summary,
        });
      }
    }
    expect(expected.length).toBeGreaterThan(0);
    const byId = (a: any, b: any) => (a.id < b.id ? -1 : 1);
    expect([...forecasts].sort(byId)).toEqual([...expected].sort(byId));
  });

  test('can be cited: the manifest names the hashes of the files and what the record has of the reports', async () => {
    const { body, status } = await ended.owner.get(`/api/batches/${ended.id}/manifest`);
    expect(status).toBe(200);
    for (const format of formats) {
      const { bytes } = await download(ended.owner, ended.id, { format, of: second });
      expect(body.results[format]).toEqual({
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
      });
    }
    const lines = linesOf((await download(ended.owner, ended.id)).text);
    const seqs: number[] = lines.flatMap(({ record_seq }) => record_seq ?? []);
    const last = Math.max(...seqs);
    const chain = await ended.owner.get(`/api/stats/track-record/chain?after=${last - 1}&limit=1`);
    const stored = await readBatch(db, ended.id);
    const reports = await Promise.all(
      lines
        .filter(({ state }) => state === 'completed')
        .map(async ({ report_id }) => (await ended.owner.get(`/api/reports/${report_id}`)).body),
    );
    const runtimes = reports.map(report => report.council_config.runtime);
    const distinct = (values: readonly object[]) => [
      ...new Map(values.map(each => [JSON.stringify(each), each])).values(),
    ];
    expect(body).toMatchObject({
      batch_id: ended.id,
      name: null,
      created_at: stored.createdAt.toISOString(),
      ended_at: stored.endedAt?.toISOString(),
      simulated: true,
      rows: { total: 6, waiting: 0, completed: 4, failed: 1, refused: 1 },
      methods: [...new Set(runtimes.map(({ method }) => method.name))],
      estimate_weights: distinct(
        runtimes.flatMap(({ estimate }) =>
          estimate === null ? [] : [{ id: estimate.weights.id, sha256: estimate.weights.sha256 }],
        ),
      ),
      record: { first_seq: Math.min(...seqs), last_seq: last, head: chain.body.entries[0].hash },
    });
    expect(Object.keys(body.models)).toEqual(['claude', 'gemini', 'gpt', 'grok']);
    for (const ids of Object.values<string[]>(body.models)) expect(ids.length).toBeGreaterThan(0);
    const again = await ended.owner.get(`/api/batches/${ended.id}/manifest`);
    expect(again.body).toEqual(body);
  });
});

test('the results of 500 rows are sent in pages, as of one file', async () => {
  const owner = await first.newCaller(100_000);
  const [line] = linesOf((await download(ended.owner, ended.id)).text).filter(
    ({ state }) => state === 'completed',
  );
  const eventIds = Array.from({ length: 500 }, (_, index) => `row-${index + 1}`);
  const id = await storeCompletedBatch(db, {
    accountId: owner.accountId,
    eventIds,
    reportId: line.report_id,
  });
  for (const format of formats) {
    const { bytes, headers } = await download(owner, id, { format });
    const base64 = createHash('sha256').update(bytes).digest('base64');
    expect(headers.get('digest')).toBe(`sha-256=${base64}`);
  }
  const lines = linesOf((await download(owner, id, { of: second })).text);
  expect(lines.map(({ event_id }) => event_id)).toEqual(eventIds);
  expect(new Set(lines.map(({ record_seq }) => record_seq))).toEqual(new Set([line.record_seq]));
  const { forecasts } = JSON.parse((await download(owner, id, { format: 'forecastbench' })).text);
  expect(forecasts).toHaveLength(500);
});

describe('the results of a batch that goes on', () => {
  test('are the present state, without a digest and without a manifest, until its last row has ended', async () => {
    const owner = await first.newCaller(100_000);
    const letGo = first.simulator.hold({ stage: 'opinions' });
    const id = await startBatch(first, owner, { eventIds: [newEvent(), newEvent()], maxInFlight: 1 });
    await until('a row runs', async () => (await readBatch(db, id)).rows.running === 1);
    const before = await download(owner, id);
    expect(before.headers.get('digest')).toBeNull();
    expect(before.headers.get('etag')).toBeNull();
    const [running, waiting] = linesOf(before.text);
    expect(running).toMatchObject({ state: 'running', venue: 'sample', council: null, record_seq: null });
    expect(waiting).toMatchObject({
      state: 'waiting',
      venue: null,
      event_title: null,
      report_id: null,
      credits: 0,
    });
    expect((await owner.get(`/api/batches/${id}/manifest`)).status).toBe(404);
    await first.batchRuns.change(await readBatch(db, id), { status: 'cancelled' });
    expect((await download(owner, id)).headers.get('digest')).toBeNull();
    letGo();
    await until('the row has ended', async () => (await readBatch(db, id)).rows.running === 0);
    const after = await download(owner, id);
    expect(after.headers.get('digest')).not.toBeNull();
    expect(linesOf(after.text).map(({ state }) => state)).toEqual(['completed', 'waiting']);
    expect((await owner.get(`/api/batches/${id}/manifest`)).status).toBe(200);
  });

  test('get another version once rows are tried again', async () => {
    const owner = await first.newCaller(100_000);
    first.simulator.setFault({ stage: 'opinions' }, { kind: 'http', status: 401 });
    const id = await startBatch(first, owner, { eventIds: [newEvent()] });
    await untilHeld(first, id);
    const failed = await download(owner, id);
    first.simulator.clearFaults();
    await first.batchRuns.change(await readBatch(db, id), { retry: true });
    await untilHeld(first, id);
    const retried = await download(owner, id);
    expect([failed, retried].map(({ text }) => linesOf(text)[0].state)).toEqual(['failed', 'completed']);
    expect(retried.headers.get('etag')).not.toBe(failed.headers.get('etag'));
  });
});

describe('who may read results', () => {
  test('the owner of the batch only, in a format that there is', async () => {
    const stranger = await first.newCaller();
    for (const path of ['results', 'manifest'])
      expect((await stranger.get(`/api/batches/${ended.id}/${path}`)).status).toBe(404);
    expect((await ended.owner.get('/api/batches/7/results')).status).toBe(404);
    const wrong = await ended.owner.get(`/api/batches/${ended.id}/results?format=xlsx`);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ parameter: 'format' }] } });
  });
});
