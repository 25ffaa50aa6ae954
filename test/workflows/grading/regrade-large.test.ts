import { expect, test } from '@jest/globals';
import { gradingProgress } from '../../../workflows/batch-progress.js';
import { onRain, useGradingWorld } from '../../support/record/grading-world.js';
import { plantReports } from '../../support/record/plant-record.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { until } from '../../support/until.js';

const world = useGradingWorld();
const { markets, sql } = world;

test('a batch of 1,000 reports continues as new, grades each report once, and can be queried while it runs', async () => {
  const { database, temporal } = world.service;
  const eventIds = Array.from({ length: 25 }, (_, index) => `large-${index}`);
  await plantReports(
    database,
    Array.from({ length: 1_000 }, (_, index) => onRain(eventIds[index % 25] ?? '')),
  );
  for (const eventId of eventIds) markets.responses.set(eventId, 'yes');
  const answer = markets.close();
  const batch = await startBatch(world.service, { kind: 'due' }, { pages_per_run: 3 });
  const first = await until('the batch can be queried', () => batch.query(gradingProgress).catch(() => null));
  expect(first).toMatchObject({ phase: 'resolving', of: null, cursor: null, events: 0 });
  answer();
  const middle = await until(
    'reports are being graded',
    () => batch.query(gradingProgress),
    ({ phase, graded }) => phase === 'grading' && graded > 0,
  );
  expect(middle).toMatchObject({ of: 1_000, cursor: expect.any(Number), resolved: 25, failed: 0 });
  expect(await batch.result()).toEqual({
    events: 25,
    resolved: 25,
    graded: 1_000,
    pending: 0,
    unchanged: 0,
    failed: 0,
    failures: [],
  });
  const rows = await sql('select count(*)::int as n, count(distinct report_id)::int as reports from grades');
  expect(rows).toEqual([{ n: 1_000, reports: 1_000 }]);
  expect(
    await sql("select body -> 'counts' ->> 'graded' as graded from track_records where simulated"),
  ).toEqual([{ graded: '1000' }]);

  const last = await temporal.workflow.getHandle(batch.workflowId).describe();
  expect(last.runId).not.toBe(batch.firstExecutionRunId);
  for (const runId of [batch.firstExecutionRunId, last.runId]) {
    const { events } = await temporal.workflow.getHandle(batch.workflowId, runId).fetchHistory();
    expect(events?.length).toBeLessThan(100);
  }
  expect(await batch.query(gradingProgress)).toMatchObject({ phase: 'done', graded: 1_000 });
});
