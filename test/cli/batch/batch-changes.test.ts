import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { useBatchCommands } from './batch-commands.js';

const { service, folder, batchOf, jsonOf, fileOf, newIds } = await useBatchCommands();

describe('a batch', () => {
  test('is paused, resumed with another budget, and cancelled', async () => {
    const caller = await service.newCaller(10_000);
    const file = await fileOf(newIds(3).join('\n'));
    const stopped = await jsonOf(caller, 'run', file, '--budget', '1', '--max-in-flight', '1');
    const id: string = stopped.batch.batch_id;
    expect((await batchOf(caller, 'show', id)).err).toContain(`batch resume ${id} --budget`);
    const release = service.simulator.hold({});
    expect(await jsonOf(caller, 'resume', id, '--budget', '5000')).toMatchObject({
      credits: { budget: 5_000 },
    });
    await until('a row runs', async () => (await jsonOf(caller, 'show', id)).rows.running === 1);
    const paused = await batchOf(caller, 'pause', id);
    expect([paused.code, paused.out]).toEqual([0, expect.stringContaining('paused (asked for): 0 of 3')]);
    expect(paused.err).toContain(`Go on: npm run council -- batch resume ${id}`);
    release();
    const waited = await batchOf(caller, 'show', id, '--wait');
    expect([waited.code, waited.out]).toEqual([1, expect.stringContaining('1 of 3 rows done, 0 running')]);
    expect((await jsonOf(caller, 'cancel', id)).status).toBe('cancelled');
    const refused = await batchOf(caller, 'resume', id);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('cancelled')]);
    expect(await jsonOf(caller, 'show', id, '--state', 'waiting')).toMatchObject({
      batch: { status: 'cancelled', rows: { completed: 1 } },
      rows: [{ position: 2 }, { position: 3 }],
    });
    const rows = await batchOf(caller, 'show', id, '--rows');
    expect(rows.out).toMatch(
      /\n {2}1 {2}many-\d+ {2}completed, fresh, report \d+, \d+ credits\n {2}2 {2}many-/,
    );
    expect((await batchOf(caller, 'list')).out).toMatch(new RegExp(`^${id} .*cancelled: 1 of 3`));
  });

  test('has its failed rows tried again', async () => {
    const caller = await service.newCaller(10_000);
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const file = await fileOf(newIds(1).join('\n'));
    const failed = await batchOf(caller, 'run', file, '--budget', '5000', '--json');
    const { batch } = JSON.parse(failed.out);
    expect([failed.code, batch.rows.failed]).toEqual([1, 1]);
    service.simulator.clearFaults();
    expect((await batchOf(caller, 'retry', batch.batch_id)).code).toBe(0);
    const waited = await batchOf(caller, 'show', batch.batch_id, '--wait');
    expect([waited.code, waited.out]).toEqual([0, expect.stringContaining('completed: 1 of 1 rows done')]);
  });

  test('has its results written as the service sends them, with their hash', async () => {
    const caller = await service.newCaller(10_000);
    const file = await fileOf(`${newIds(1).join()}\nno-such-event`);
    const { batch } = await jsonOf(caller, 'run', file, '--budget', '5000');
    const id: string = batch.batch_id;
    const sent = async (format: string) => {
      const answer = await fetch(`${service.url}/api/batches/${id}/results?format=${format}`, {
        headers: { 'x-api-key': caller.key },
      });
      return answer.text();
    };
    const printed = await batchOf(caller, 'results', id);
    expect([printed.code, printed.out]).toEqual([0, await sent('ndjson')]);
    expect(printed.out.trim().split('\n')).toHaveLength(2);
    const out = join(folder, 'results.csv');
    const written = await batchOf(caller, 'results', id, '--format', 'csv', '--out', out);
    const csv = await readFile(out, 'utf8');
    expect(csv).toBe(await sent('csv'));
    const sha256 = createHash('sha256').update(csv).digest('hex');
    expect(written.out).toBe(`Wrote ${out}, SHA-256 ${sha256}.\n`);
    expect(await jsonOf(caller, 'results', id, '--format', 'forecastbench')).toEqual({
      format: 'forecastbench',
      sha256: createHash('sha256')
        .update(await sent('forecastbench'))
        .digest('hex'),
      results: await sent('forecastbench'),
    });
    const unwritable = await batchOf(caller, 'results', id, '--out', join(folder, 'none', 'x'));
    expect([unwritable.code, unwritable.err]).toEqual([1, expect.stringContaining('cannot be written')]);
  });

  test('says that the results of a batch which has not ended are those of now', async () => {
    const caller = await service.newCaller(10_000);
    const { batch } = await jsonOf(caller, 'run', await fileOf(newIds(1).join()), '--budget', '1');
    const { code, out, err } = await batchOf(caller, 'results', batch.batch_id);
    expect([code, JSON.parse(out).state]).toEqual([0, 'waiting']);
    expect(err).toContain('The batch has not ended');
  });

  test.each([
    ['no-id', 'There is no batch with the id no-id.'],
    ['7d0f3f0e-9a1c-4a6b-8f5e-2c4b1d9e6a30', 'not_found'],
  ])('%s is none', async (id, message) => {
    const caller = await service.newCaller();
    for (const command of ['show', 'pause', 'resume', 'cancel', 'retry', 'results']) {
      const { code, err } = await batchOf(caller, command, id);
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    }
    expect((await batchOf(caller, 'list')).out).toBe('The account has no batches.\n');
  });
});
