import { afterEach, expect, test } from '@jest/globals';
import { appendToStream } from '../../../db/reports/report-stream.js';
import { type OpenStream, openStream } from '../../support/service/read-stream.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ stageDeadlinesMs: longDeadlines });
const { db, pool } = service.database;
const loss = { event: 'member.lost', stage: 'opinions', kind: 'timed_out' } as const;
let stream: OpenStream | null = null;

afterEach(() => {
  stream?.leave();
  service.simulator.clearFaults();
});

const lossesIn = ({ events }: OpenStream) =>
  events.flatMap(({ event, data }) => (event === 'member.lost' ? [data.model] : []));

test('a stream tells of what no notification told of, and of what came while none could arrive', async () => {
  const release = service.simulator.hold({ stage: 'opinions' });
  const caller = await service.newCaller(1_000);
  const { body } = await caller.buy('sample-fed-cut-2031');
  const opened = await openStream(`${service.url}/api/reports/${body.report_id}/events`, { key: caller.key });
  stream = opened;
  await until('the opinions have begun', () => opened.events.some(({ data }) => data.stage === 'opinions'));

  // As by a process that dies before it notifies. Quiet streams are looked after with their comment.
  await appendToStream(db, body.report_id, { ...loss, model: 'gpt' });
  await until('the first loss is seen', () => lossesIn(opened).length === 1, Boolean, 20_000);
  expect(opened.text).toMatch(/^: $/m);

  await appendToStream(db, body.report_id, { ...loss, model: 'grok' });
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'council listener' and datname = current_database()`,
  );
  await until('the second loss is seen', () => lossesIn(opened).length === 2, Boolean, 10_000);

  expect(lossesIn(opened)).toEqual(['gpt', 'grok']);
  expect(opened.events.map(({ id }) => id)).toEqual(opened.events.map((_, index) => index + 1));
  release();
  await opened.ended;
  expect(opened.events.at(-1)?.event).toBe('report.completed');
});
