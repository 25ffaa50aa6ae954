import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { projectFiles } from '../../config/project-files.js';
import { readTemporalManifest } from '../../config/temporal/manifest.js';
import { council } from '../support/service/council-command.js';
import { ownNamespace } from '../support/service/own-namespace.js';
import { until } from '../support/until.js';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const manifest = readTemporalManifest(projectFiles.temporalManifest);
const described = 1 + Object.keys(manifest.search_attributes).length + manifest.schedules.length;
const dayMs = 86_400_000;
let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address });
});
afterAll(() => connection.close());

const apply = (namespace: string, ...args: string[]) =>
  council(['temporal', 'apply', ...args], { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });

const applied = async (namespace: string, ...args: string[]) =>
  JSON.parse((await apply(namespace, '--json', ...args)).out);

const schedulesIn = (namespace: string) => new Client({ connection, namespace }).schedule;

/** The steps that changed something. */
const done = ({ steps }: { steps: { name: string; did: string }[] }) =>
  steps.filter(({ did }) => did !== 'unchanged').map(({ name, did }) => `${name} ${did}`);

/** A schedule that starts `workflowId` on that queue. It is listed when this resolves. */
async function plant(namespace: string, scheduleId: string, workflowId: string, taskQueue: string) {
  const schedules = schedulesIn(namespace);
  await schedules.create({
    scheduleId,
    spec: { intervals: [{ every: dayMs }] },
    action: { type: 'startWorkflow', workflowType: 'whatever', workflowId, taskQueue },
    state: { paused: true },
  });
  await until(`${scheduleId} is listed`, async () => {
    for await (const listed of schedules.list()) if (listed.scheduleId === scheduleId) return true;
    return false;
  });
}

const isThere = (namespace: string, scheduleId: string) =>
  schedulesIn(namespace)
    .getHandle(scheduleId)
    .describe()
    .then(
      () => true,
      () => false,
    );

describe('council temporal apply', () => {
  test('creates a namespace with its retention, search attributes and schedules; the next run reports no change', async () => {
    const namespace = `test-${randomUUID()}`;
    const first = await apply(namespace);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(new RegExp(`created +namespace +${namespace}`));
    expect(first.out).toMatch(/created +search attribute +AccountId/);
    expect(first.out).toMatch(/created +schedule +send-usage/);
    expect(first.out).toContain(`Done: ${described} created.`);

    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(tsToMs(config?.workflowExecutionRetentionTtl)).toBe(manifest.retention_days * dayMs);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes)).toEqual(
      expect.arrayContaining(Object.keys(manifest.search_attributes)),
    );
    for (const { id } of manifest.schedules) expect(await isThere(namespace, id)).toBe(true);

    const second = await apply(namespace);
    expect(second.code).toBe(0);
    expect(second.out).toContain(`Unchanged: ${described} unchanged.`);
    expect(await applied(namespace)).toMatchObject({ namespace, address, dry_run: false, unchanged: true });
  });

  test('with --dry-run, shows the changes and makes none', async () => {
    const missing = `test-${randomUUID()}`;
    const nowhere = await apply(missing, '--dry-run');
    expect(nowhere.code).toBe(0);
    expect(nowhere.out).toContain(`Would be: ${described} created.`);
    expect(nowhere.err).toContain('without --dry-run');
    await expect(connection.workflowService.describeNamespace({ namespace: missing })).rejects.toThrow(
      'not found',
    );

    const namespace = await ownNamespace();
    const result = await applied(namespace, '--dry-run');
    expect(result).toMatchObject({ dry_run: true, unchanged: false });
    expect(result.steps[0]).toEqual({
      kind: 'namespace',
      name: namespace,
      did: 'updated',
      differences: [`retention_days: 1 → ${manifest.retention_days}`],
    });
    expect(await isThere(namespace, 'send-usage')).toBe(false);
    expect(await applied(namespace, '--dry-run')).toEqual(result);
  });

  test('corrects differences, and prints each changed value', async () => {
    const namespace = await ownNamespace();
    await apply(namespace);
    const handle = schedulesIn(namespace).getHandle('send-usage');
    await handle.update(found => ({
      ...found,
      spec: { intervals: [{ every: 5_000 }] },
      action: { ...found.action, args: [{ policy: { ...manifest.chore_policy, start_to_close_ms: 7 } }] },
    }));
    const result = await applied(namespace);
    expect(done(result)).toContain('send-usage updated');
    expect(result.steps.find(({ name }: any) => name === 'send-usage').differences).toEqual([
      'every_ms.0: 5000 → 60000',
      `args.0.policy.start_to_close_ms: 7 → ${manifest.chore_policy.start_to_close_ms}`,
    ]);
    expect((await handle.describe()).spec.intervals?.[0]?.every).toBe(60_000);
    expect(await applied(namespace)).toMatchObject({ unchanged: true });
  });

  test('warns about own schedules that are no longer in temporal.yaml, and removes only those with --prune', async () => {
    const namespace = await ownNamespace();
    await apply(namespace);
    const { task_queue: queue } = manifest;
    await plant(namespace, 'old-chore', 'chores/old-chore', queue);
    await plant(namespace, 'somebody-elses', 'nightly/somebody-elses', queue);
    await plant(namespace, 'other-deployment', 'chores/other-deployment', 'another-queue');

    const warned = await apply(namespace);
    expect(warned.code).toBe(0);
    expect(warned.out).toMatch(/left +schedule +old-chore/);
    expect(warned.err).toContain('old-chore. --prune removes them.');
    expect(warned.out).not.toMatch(/somebody-elses|other-deployment/);

    expect(done(await applied(namespace, '--prune', '--dry-run'))).toEqual(['old-chore removed']);
    expect(await isThere(namespace, 'old-chore')).toBe(true);

    expect(done(await applied(namespace, '--prune'))).toEqual(['old-chore removed']);
    expect(await isThere(namespace, 'old-chore')).toBe(false);
    expect(await isThere(namespace, 'somebody-elses')).toBe(true);
    expect(await isThere(namespace, 'other-deployment')).toBe(true);
    expect(done(await applied(namespace, '--prune'))).toEqual([]);
  });

  test('reports a search attribute of another type, does the rest, and exits with 1', async () => {
    const namespace = await ownNamespace();
    const int = 3;
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { Lane: int } });
    const { code, out, err } = await apply(namespace);
    expect(code).toBe(1);
    expect(out).toMatch(/left +search attribute +Lane\n +type: Int → Keyword/);
    expect(err).toContain('Lane: a type cannot be changed');
    expect(out).toMatch(/created +schedule +send-usage/);
  });

  test('can run twice at the same time', async () => {
    const namespace = await ownNamespace();
    const both = await Promise.all([apply(namespace), apply(namespace)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await applied(namespace)).toMatchObject({ unchanged: true });
  });

  test('names an unreachable server, and says what to do', async () => {
    const { code, out } = await council(['temporal', 'apply', '--json'], { TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      error: {
        detail: 'Temporal at 127.0.0.1:1 cannot be reached.',
        next: expect.stringContaining('TEMPORAL_ADDRESS'),
      },
    });
  });
});
