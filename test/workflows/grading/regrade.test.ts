import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { findCurrentGrade } from '../../../db/track-record/grades.js';
import { gradingProgress } from '../../../workflows/batch-progress.js';
import { event, market } from '../../council/fixtures.js';
import { onRain, useGradingWorld } from '../../support/record/grading-world.js';
import { plantReports } from '../../support/record/plant-record.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { send } from '../../support/service/send.js';
import { until } from '../../support/until.js';

const { service, markets, planted, regraded, sql, gradesOf } = await useGradingWorld();
const { database, temporal } = service;

/** First, because the published figures then have its reports only. */
test('a batch of many pages continues as new, grades each report once, and can be queried while it runs', async () => {
  const eventIds = Array.from({ length: 5 }, (_, index) => `large-${index}`);
  await plantReports(
    database,
    Array.from({ length: 200 }, (_, index) => onRain(eventIds[index % 5] ?? '')),
  );
  for (const eventId of eventIds) markets.responses.set(eventId, 'yes');
  const answer = markets.close();
  const batch = await startBatch(service, { kind: 'due' }, { page_size: 20, pages_per_run: 3 });
  const first = await until('the batch can be queried', () => batch.query(gradingProgress).catch(() => null));
  expect(first).toMatchObject({ phase: 'resolving', of: null, cursor: null, events: 0 });
  answer();
  const middle = await until(
    'reports are being graded',
    () => batch.query(gradingProgress),
    ({ phase, graded }) => phase === 'grading' && graded > 0,
  );
  expect(middle).toMatchObject({ of: 200, cursor: expect.any(Number), resolved: 5, failed: 0 });
  expect(await batch.result()).toMatchObject({ events: 5, resolved: 5, graded: 200, failures: [] });
  const rows = await sql('select count(*)::int as n, count(distinct report_id)::int as reports from grades');
  expect(rows).toEqual([{ n: 200, reports: 200 }]);
  expect(
    await sql("select body -> 'counts' ->> 'graded' as graded from track_records where simulated"),
  ).toEqual([{ graded: '200' }]);

  const last = await temporal.workflow.getHandle(batch.workflowId).describe();
  expect(last.runId).not.toBe(batch.firstExecutionRunId);
  for (const runId of [batch.firstExecutionRunId, last.runId]) {
    const { events } = await temporal.workflow.getHandle(batch.workflowId, runId).fetchHistory();
    expect(events?.length).toBeLessThan(100);
  }
  expect(await batch.query(gradingProgress)).toMatchObject({ phase: 'done', graded: 200 });
});

describe('a batch', () => {
  test('grades every report of a resolved event once', async () => {
    const { eventId, ids } = await planted(3);
    markets.responses.set(eventId, 'yes');
    expect(await regraded(eventId)).toEqual({
      events: 1,
      resolved: 1,
      graded: 3,
      pending: 0,
      unchanged: 0,
      failed: 0,
      failures: [],
    });
    expect(await gradesOf(ids)).toEqual(ids.map(id => ({ report_id: id, state: 'graded' })));
    const grade = await findCurrentGrade(database.db, ids[0] ?? 0);
    expect(grade).toMatchObject({
      state: 'graded',
      corrected: false,
      resolution: { outcomes: { 'm-Rain': 'yes' } },
    });
    expect(grade?.scores?.outcomes).toEqual([
      { name: 'Yes', happened: 1 },
      { name: 'No', happened: 0 },
    ]);
  });

  test('leaves the reports of an open event pending, and stores nothing', async () => {
    const { eventId, ids } = await planted(2);
    markets.responses.set(eventId, 'unresolved');
    expect(await regraded(eventId)).toMatchObject({
      events: 1,
      resolved: 0,
      graded: 0,
      pending: 2,
      failed: 0,
    });
    expect(await gradesOf(ids)).toEqual([]);
    expect(await sql('select from resolutions where event_id = $1', [eventId])).toEqual([]);
  });

  test('adds nothing when it is run again', async () => {
    const { eventId, ids } = await planted(2);
    markets.responses.set(eventId, 'no');
    await regraded(eventId);
    expect(await regraded(eventId)).toMatchObject({ events: 1, resolved: 0, graded: 0, unchanged: 2 });
    expect(await gradesOf(ids)).toHaveLength(2);
  });

  test('grades again when the market changes the resolution: the newest grade counts, both are kept', async () => {
    const { eventId, ids } = await planted(1);
    markets.responses.set(eventId, 'yes');
    await regraded(eventId);
    markets.responses.set(eventId, 'no');
    expect(await regraded(eventId)).toMatchObject({ resolved: 1, graded: 1, unchanged: 0 });
    expect(await gradesOf(ids)).toHaveLength(2);
    const grade = await findCurrentGrade(database.db, ids[0] ?? 0);
    expect(grade).toMatchObject({ corrected: true, resolution: { outcomes: { 'm-Rain': 'no' } } });
    expect(grade?.scores?.outcomes[0]).toEqual({ name: 'Yes', happened: 0 });
    const evidence = await sql('select evidence from resolutions where event_id = $1 order by id', [eventId]);
    expect(evidence.map(row => row.evidence.markets[0].resolution)).toEqual(['yes', 'no']);
  });

  test('keeps a dispute, and the grade that follows it is not a correction', async () => {
    const { eventId, ids } = await planted(1);
    markets.responses.set(eventId, 'disputed');
    await regraded(eventId);
    markets.responses.set(eventId, 'yes');
    await regraded(eventId);
    expect((await gradesOf(ids)).map(({ state }) => state)).toEqual(['disputed', 'graded']);
    expect(await findCurrentGrade(database.db, ids[0] ?? 0)).toMatchObject({
      corrected: false,
    });
  });
});

test('a batch makes a forecast public whose market trades no longer, before the event is resolved', async () => {
  const { eventId, ids } = await planted(1);
  const closesAt = '2020-01-01T00:00:00.000Z';
  markets.responses.set(
    eventId,
    event([market({ name: 'Rain', status: 'closed' })], { status: 'closed', closesAt }),
  );
  const shown = async () => {
    const [{ seq }] = await sql('select seq from record_entries where report_id = $1', ids);
    const { body } = await send(`${service.url}/api/stats/track-record/chain?after=${seq - 1}&limit=1`);
    return body.entries[0].payload;
  };
  expect(await shown()).toBeNull();
  expect(await regraded(eventId)).toMatchObject({ pending: 1 });
  expect(await shown()).toContain(`"report_id":${ids[0]},`);
});

describe('a failure', () => {
  test('of a report is listed, and does not stop the others', async () => {
    const { eventId, ids } = await planted(2);
    const [broken] = await plantReports(database, [onRain(eventId, { outcomes: [] })]);
    markets.responses.set(eventId, 'yes');
    expect(await regraded(eventId)).toMatchObject({
      graded: 2,
      failed: 1,
      failures: [{ subject: 'report', id: String(broken?.report_id), reason: 'record_unreadable' }],
    });
    expect(await gradesOf(ids)).toHaveLength(2);
  });

  test('of the market is listed, and reports with a known resolution are still graded', async () => {
    const { eventId, ids } = await planted(1);
    markets.responses.set(eventId, 'yes');
    await regraded(eventId);
    await plantReports(database, [onRain(eventId)]);
    markets.responses.set(eventId, 'unavailable');
    expect(await regraded(eventId)).toMatchObject({
      graded: 1,
      unchanged: ids.length,
      failures: [{ subject: 'event', id: eventId, reason: 'market_unavailable' }],
    });
    markets.responses.delete(eventId);
    expect(await regraded(eventId)).toMatchObject({ failures: [{ reason: 'event_unknown' }] });
  });

  test('of a whole page is listed for each of its events, and the batch continues', async () => {
    const { eventId } = await planted(1);
    markets.responses.set(eventId, 'yes');
    const answer = markets.close();
    const batch = await startBatch(service, { kind: 'event', eventId });
    const [page] = await until(
      'the page is in progress',
      async () => (await batch.describe()).raw.pendingActivities ?? [],
      pending => pending[0]?.activityType?.name === 'resolveEvents',
    );
    const { workflowId } = batch;
    await temporal.activity.fail(
      { workflowId, activityId: page?.activityId ?? '' },
      ApplicationFailure.nonRetryable('failed by an operator'),
    );
    expect(await batch.result()).toMatchObject({
      pending: 1,
      failures: [{ subject: 'event', id: eventId, reason: 'gave_up' }],
    });
    answer();
  });

  test('by cancellation leaves the rest to the next batch', async () => {
    const { eventId, ids } = await planted(1);
    markets.responses.set(eventId, 'yes');
    const answer = markets.close();
    const batch = await startBatch(service, { kind: 'event', eventId });
    await until(
      'the market is read',
      async () => (await batch.fetchHistory()).events?.length ?? 0,
      n => n > 8,
    );
    await batch.cancel();
    await expect(batch.result()).rejects.toThrow('cancelled');
    answer();
    expect(await regraded(eventId)).toMatchObject({ failed: 0 });
    expect(await gradesOf(ids)).toHaveLength(1);
  });
});

describe('concurrent batches', () => {
  test('of the same selection are one batch, and no report has two grades', async () => {
    const { eventId, ids } = await planted(4);
    markets.responses.set(eventId, 'yes');
    const answer = markets.close();
    const selection = { kind: 'event', eventId } as const;
    const batches = await Promise.all([1, 2, 3].map(() => startBatch(service, selection)));
    expect(new Set(batches.map(batch => batch.firstExecutionRunId)).size).toBe(1);
    answer();
    const results = await Promise.all(batches.map(batch => batch.result()));
    expect(results.map(({ graded }) => graded)).toEqual([4, 4, 4]);
    expect(await gradesOf(ids)).toHaveLength(4);
  });

  test('of an operator and the hourly maintenance are one batch', async () => {
    const { eventId, ids } = await planted(2);
    markets.responses.set(eventId, 'yes');
    const sweep = () => runRound(service, 'regrade-due');
    const answer = markets.close();
    const batch = await startBatch(service, { kind: 'due' });
    expect(await sweep()).toBe('already_running');
    answer();
    expect((await batch.result()).graded).toBeGreaterThanOrEqual(ids.length);
    expect(await gradesOf(ids)).toHaveLength(2);
    expect(await sweep()).toMatchObject({ graded: 0 });
  });

  test('of different selections that overlap grade each report once', async () => {
    const { eventId, ids } = await planted(60);
    markets.responses.set(eventId, 'yes');
    const batches = await Promise.all([
      startBatch(service, { kind: 'event', eventId }),
      startBatch(service, { kind: 'all', grader: 'grader/2' }, { page_size: 7 }),
      startBatch(service, { kind: 'since', date: '2020-01-01' }, { page_size: 11 }),
    ]);
    await Promise.all(batches.map(batch => batch.result()));
    expect(await gradesOf(ids)).toHaveLength(60);
  });
});
