import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { findCurrentGrade } from '../../../db/track-record/grades.js';
import { onRain, useGradingWorld } from '../../support/record/grading-world.js';
import { plantReports } from '../../support/record/plant-record.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { until } from '../../support/until.js';

const world = useGradingWorld();
const { markets, planted, regraded, sql, gradesOf } = world;

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
    const grade = await findCurrentGrade(world.service.database.db, ids[0] ?? 0);
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
    const grade = await findCurrentGrade(world.service.database.db, ids[0] ?? 0);
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
    expect(await findCurrentGrade(world.service.database.db, ids[0] ?? 0)).toMatchObject({
      corrected: false,
    });
  });
});

describe('a failure', () => {
  test('of a report is listed, and does not stop the others', async () => {
    const { eventId, ids } = await planted(2);
    const [broken] = await plantReports(world.service.database, [onRain(eventId, { outcomes: [] })]);
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
    await plantReports(world.service.database, [onRain(eventId)]);
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
    const batch = await startBatch(world.service, { kind: 'event', eventId });
    const [page] = await until(
      'the page is in progress',
      async () => (await batch.describe()).raw.pendingActivities ?? [],
      pending => pending[0]?.activityType?.name === 'resolveEvents',
    );
    const { workflowId } = batch;
    await world.service.temporal.activity.fail(
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
    const batch = await startBatch(world.service, { kind: 'event', eventId });
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
    const batches = await Promise.all([1, 2, 3].map(() => startBatch(world.service, selection)));
    expect(new Set(batches.map(batch => batch.firstExecutionRunId)).size).toBe(1);
    answer();
    const results = await Promise.all(batches.map(batch => batch.result()));
    expect(results.map(({ graded }) => graded)).toEqual([4, 4, 4]);
    expect(await gradesOf(ids)).toHaveLength(4);
  });

  test('of an operator and the hourly maintenance are one batch', async () => {
    const { eventId, ids } = await planted(2);
    markets.responses.set(eventId, 'yes');
    const sweep = () => runRound(world.service, 'regrade-due');
    const answer = markets.close();
    const batch = await startBatch(world.service, { kind: 'due' });
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
      startBatch(world.service, { kind: 'event', eventId }),
      startBatch(world.service, { kind: 'all', grader: 'grader/1' }, { page_size: 7 }),
      startBatch(world.service, { kind: 'since', date: '2020-01-01' }, { page_size: 11 }),
    ]);
    await Promise.all(batches.map(batch => batch.result()));
    expect(await gradesOf(ids)).toHaveLength(60);
  });
});
