import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { manifestFor, readTemporalManifest } from '../../platform/temporal/manifest.js';
import { council } from '../support/service/council-command.js';
import { ownNamespace } from '../support/service/own-namespace.js';
import { until } from '../support/until.js';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const manifest = manifestFor(['sample'], readTemporalManifest(projectFiles.temporalManifest));
const duties = Object.keys(manifest.maintenance_every_seconds);
const described = 1 + Object.keys(manifest.search_attributes).length + duties.length;
const dayMs = 86_400_000;
const connection = await Connection.connect({ address });
afterAll(() => connection.close());

const apply = (namespace: string, ...args: string[]) =>
  council(['temporal', 'apply', ...args], { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });

const applied = async (namespace: string, ...args: string[]) =>
  JSON.parse((await apply(namespace, '--json', ...args)).out);

const workflowsIn = (namespace: string) => new Client({ connection, namespace }).workflow;

/** The steps that changed something. */
const done = ({ steps }: { steps: { name: string; did: string }[] }) =>
  steps.filter(({ did }) => did !== 'unchanged').map(({ name, did }) => `${name} ${did}`);

/** Starts a workflow of that type on that task queue; the list has it when this resolves. */
async function plant(namespace: string, workflowType: string, workflowId: string, taskQueue: string) {
  const workflow = workflowsIn(namespace);
  await workflow.start(workflowType, { workflowId, taskQueue });
  await until(`${workflowId} is listed`, async () => {
    for await (const listed of workflow.list()) if (listed.workflowId === workflowId) return true;
    return false;
  });
}

const isRunning = (namespace: string, workflowId: string) =>
  workflowsIn(namespace)
    .getHandle(workflowId)
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );

describe('council temporal apply', () => {
  test('creates a namespace, its retention, its search attributes and its maintenance, and then reports them as unchanged', async () => {
    const namespace = `test-${randomUUID()}`;
    const first = await apply(namespace);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(new RegExp(`created +namespace +${namespace}`));
    expect(first.out).toMatch(/created +search attribute +AccountId/);
    expect(first.out).toMatch(/created +maintenance +send-usage/);
    expect(first.out).toContain(`Done: ${described} created.`);

    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(tsToMs(config?.workflowExecutionRetentionTtl)).toBe(manifest.retention_days * dayMs);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes)).toEqual(
      expect.arrayContaining(Object.keys(manifest.search_attributes)),
    );
    for (const duty of duties) expect(await isRunning(namespace, `maintenance/${duty}`)).toBe(true);

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
    expect(await isRunning(namespace, 'maintenance/send-usage')).toBe(false);
    expect(await applied(namespace, '--dry-run')).toEqual(result);
  });

  test('replaces a workflow that runs with other settings, and names each value that it changed', async () => {
    const namespace = await ownNamespace();
    await apply(namespace);
    const handle = workflowsIn(namespace).getHandle('maintenance/send-usage');
    await handle.terminate();
    const input = {
      duty: 'send-usage',
      everySeconds: 5,
      grading: { ...manifest.grading, window: 7 },
      paused: null,
    };
    await workflowsIn(namespace).start('maintenance', {
      workflowId: 'maintenance/send-usage',
      taskQueue: manifest.task_queue,
      memo: { input },
    });
    const result = await applied(namespace);
    expect(done(result)).toContain('send-usage updated');
    expect(result.steps.find(({ name }: any) => name === 'send-usage').differences).toEqual([
      'input.everySeconds: 5 → 60',
      `input.grading.window: 7 → ${manifest.grading.window}`,
    ]);
    expect((await handle.describe()).memo).toMatchObject({ input: { everySeconds: 60 } });
    expect(await applied(namespace)).toMatchObject({ unchanged: true });
  });

  test('warns of maintenance that temporal.yaml no longer names, and terminates it, and nothing else, with --prune', async () => {
    const namespace = await ownNamespace();
    await apply(namespace);
    const { task_queue: queue } = manifest;
    await plant(namespace, 'maintenance', 'maintenance/old-duty', queue);
    await plant(namespace, 'nightly', 'maintenance/of-another-service', queue);
    await plant(namespace, 'maintenance', 'maintenance/other-deployment', 'another-queue');

    const warned = await apply(namespace);
    expect(warned.code).toBe(0);
    expect(warned.out).toMatch(/left +maintenance +old-duty/);
    expect(warned.err).toContain('old-duty. --prune removes them.');
    expect(warned.out).not.toMatch(/of-another-service|other-deployment/);

    expect(done(await applied(namespace, '--prune', '--dry-run'))).toEqual(['old-duty removed']);
    expect(await isRunning(namespace, 'maintenance/old-duty')).toBe(true);

    expect(done(await applied(namespace, '--prune'))).toEqual(['old-duty removed']);
    expect(await isRunning(namespace, 'maintenance/old-duty')).toBe(false);
    expect(await isRunning(namespace, 'maintenance/of-another-service')).toBe(true);
    expect(await isRunning(namespace, 'maintenance/other-deployment')).toBe(true);
    await until(
      'nothing is left to remove',
      async () => done(await applied(namespace, '--prune')).length === 0,
    );
  });

  test('reports a search attribute of another type, does the rest, and exits with 1', async () => {
    const namespace = await ownNamespace();
    const int = 3;
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { Lane: int } });
    const { code, out, err } = await apply(namespace);
    expect(code).toBe(1);
    expect(out).toMatch(/left +search attribute +Lane\n +type: Int → Keyword/);
    expect(err).toContain('Lane: a type cannot be changed');
    expect(out).toMatch(/created +maintenance +send-usage/);
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
