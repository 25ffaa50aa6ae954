import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { projectFiles } from '../../../config/project-files.js';
import { applyManifest } from '../../../config/temporal/apply-manifest.js';
import { readTemporalManifest, type TemporalManifest } from '../../../config/temporal/manifest.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const shipped = readTemporalManifest(projectFiles.temporalManifest);
let service: TestService;
let connections: NativeConnection[];
let client: Client;
let made: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  connections = await Promise.all([1, 2, 3].map(() => NativeConnection.connect({ address })));
  client = new Client({ connection: await Connection.connect({ address }), namespace: shipped.namespace });
});

afterAll(async () => {
  for (const id of made) await client.schedule.getHandle(id).delete();
  await Promise.all([...connections, client.connection].map(connection => connection.close()));
  await service.stop();
});

/** The project's own, under names of the test's own, and on a queue that nobody works on. */
function manifest(): TemporalManifest {
  const name = randomUUID();
  const schedules = shipped.schedules.map(schedule => ({ ...schedule, id: `${schedule.id}-${name}` }));
  made = [...made, ...schedules.map(({ id }) => id)];
  return { ...shipped, task_queue: `test-${name}`, schedules };
}

const apply = (wanted: TemporalManifest, worker = 0) =>
  applyManifest(connections[worker] ?? fail(), wanted.namespace, wanted).then(applied => applied.schedules);

const fail = (): never => {
  throw new Error('there is no such worker');
};

const described = ({ schedules }: TemporalManifest) =>
  Promise.all(schedules.map(({ id }) => client.schedule.getHandle(id).describe()));

/** What was done to each schedule, without the names. */
const done = (applied: Readonly<Record<string, string>>) => Object.values(applied);

const every = (what: string) => shipped.schedules.map(() => what);

describe('the schedules of temporal.yaml', () => {
  test('are made as they are described: skipped where they would overlap, made up for within their window', async () => {
    const wanted = manifest();
    expect(done(await apply(wanted))).toEqual(every('created'));
    const seen = await described(wanted);
    expect(
      seen.map(({ spec, action, policies }) => [action.workflowType, spec.intervals?.[0]?.every, policies]),
    ).toEqual(
      wanted.schedules.map(entry => [
        entry.workflow,
        entry.every_seconds * 1_000,
        { overlap: 'SKIP', catchupWindow: entry.catchup_window_seconds * 1_000, pauseOnFailure: false },
      ]),
    );
    for (const { action } of seen) {
      const order = action.workflowType === 'regradeDue' ? wanted.grading : { policy: wanted.chore_policy };
      expect(action).toMatchObject({ taskQueue: wanted.task_queue, args: [order] });
    }
  });

  test('are left as they are by the next worker that starts', async () => {
    const wanted = manifest();
    await apply(wanted);
    const before = await described(wanted);
    expect(done(await apply(wanted))).toEqual(every('unchanged'));
    const updated = (await described(wanted)).map(({ info }) => info.lastUpdatedAt);
    expect(updated).toEqual(before.map(({ info }) => info.lastUpdatedAt));
  });

  test('are made once by several workers that start at the same moment', async () => {
    const wanted = manifest();
    const all = await Promise.all([apply(wanted, 0), apply(wanted, 1), apply(wanted, 2)]);
    const created = all.flatMap(done).filter(what => what === 'created');
    expect(created).toHaveLength(wanted.schedules.length);
    expect(await described(wanted)).toHaveLength(wanted.schedules.length);
  });

  test('begin rounds that a worker does', async () => {
    const wanted = { ...manifest(), task_queue: service.manifest.task_queue };
    await apply(wanted);
    for (const { id } of wanted.schedules) {
      const handle = client.schedule.getHandle(id);
      await handle.trigger();
      const { info } = await until(
        `${id} has begun a round`,
        () => handle.describe(),
        seen => seen.info.recentActions.length > 0,
      );
      const begun = info.recentActions.at(-1)?.action.workflow.workflowId ?? '';
      expect(begun).toContain(`chores/${id}`);
      // Where another batch is at it, the sweep says so in a word.
      expect(await client.workflow.getHandle(begun).result()).toBeTruthy();
    }
  });

  test('follow a changed interval, a changed policy and a changed queue, and stay paused where an operator paused them', async () => {
    const wanted = manifest();
    await apply(wanted);
    const [first] = wanted.schedules;
    if (first === undefined) throw new Error('there are no schedules');
    await client.schedule.getHandle(first.id).pause('looking into it');
    const changed = {
      ...wanted,
      chore_policy: { ...wanted.chore_policy, start_to_close_ms: 5_000 },
      schedules: wanted.schedules.map(entry => ({ ...entry, every_seconds: entry.every_seconds * 2 })),
    };
    expect(done(await apply(changed))).toEqual(every('updated'));
    const seen = await described(changed);
    expect(seen.map(({ spec }) => spec.intervals?.[0]?.every)).toEqual(
      changed.schedules.map(({ every_seconds }) => every_seconds * 1_000),
    );
    expect(seen[0]).toMatchObject({
      state: { paused: true, note: 'looking into it' },
      action: { args: [{ policy: { start_to_close_ms: 5_000 } }] },
    });
    expect(done(await apply(changed))).toEqual(every('unchanged'));
  });
});
