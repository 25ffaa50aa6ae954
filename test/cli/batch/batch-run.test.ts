import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { council as runCouncil, startCouncil } from '../../support/service/council-command.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { manyEvents, manyIds } from '../../workflows/support/many-events.js';

const service = await useTestService({ markets: manyEvents(), stageDeadlinesMs: longDeadlines });
const folder = await mkdtemp(join(tmpdir(), 'council-batch-'));
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => service.simulator.clearFaults());

const envOf = ({ key }: TestCaller) => ({ COUNCIL_API_KEY: key, COUNCIL_BASE_URL: service.url });
const batchOf = (caller: TestCaller, ...args: readonly string[]) =>
  runCouncil(['batch', ...args], envOf(caller));
const jsonOf = async (caller: TestCaller, ...args: readonly string[]) =>
  JSON.parse((await batchOf(caller, ...args, '--json')).out);
const listed = async (caller: TestCaller) => (await caller.get('/api/batches')).body;

let files = 0;
async function fileOf(text: string): Promise<string> {
  const file = join(folder, `events-${++files}`);
  await writeFile(file, text);
  return file;
}

let used = 0;
/** Events that no other test has reports on. */
function newIds(count: number): string[] {
  used += count;
  return manyIds(count, used - count + 1);
}

describe('council batch run', () => {
  test.each([
    ['ids', (ids: readonly string[]) => `# two\n${ids.join('\n')}\n`],
    ['CSV', (ids: readonly string[]) => `n,event_id\n${ids.map((id, n) => `${n},${id}`).join('\n')}`],
    ['NDJSON', (ids: readonly string[]) => ids.map(event_id => JSON.stringify({ event_id })).join('\n')],
  ])('buys the events of a file of %s within the budget', async (_what, textOf) => {
    const caller = await service.newCaller(10_000);
    const ids = newIds(2);
    const { code, out, err } = await batchOf(caller, 'run', await fileOf(textOf(ids)), '--budget', '5000');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^completed: 2 of 2 rows done, 0 running, 0 failed, 0 refused, \d+ of 5000 credits/,
      ),
    ]);
    expect(err).toMatch(/^Events {2}2: 2 fresh, 0 cached, 0 owned, 0 refused\nPrice {3}\d+ credits expected/);
    expect(err).toMatch(/\nrunning: \d of 2 rows done, /);
    expect(err).not.toContain('bought nothing');
    const { batches } = await listed(caller);
    const { body } = await caller.get(`/api/batches/${batches[0].batch_id}/rows`);
    expect(body.rows.map((row: { event_id: string }) => row.event_id)).toEqual(ids);
  });

  test('reads standard input, and passes its options on', async () => {
    const caller = await service.newCaller(10_000);
    const options = [
      '--name',
      'piped',
      '--max-credits-each',
      '400',
      '--min-members',
      '3',
      '--max-in-flight',
      '1',
    ];
    const { code, out } = await runCouncil(
      ['batch', 'run', '-', '--budget', '1000', ...options, '--json'],
      envOf(caller),
      newIds(1).join('\n'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      plan: { rows: [{ kind: 'fresh' }] },
      left_out: [],
      batch: {
        name: 'piped',
        status: 'completed',
        lane: 'credits',
        max_credits_each: 400,
        min_members: 3,
        max_in_flight: 1,
        rows: { completed: 1 },
      },
    });
  });

  test('--dry-run shows counts, price and refused rows, and buys nothing', async () => {
    const caller = await service.newCaller(10_000);
    const [owned = '', fresh = ''] = newIds(2);
    await caller.run(owned, { lane: 'credits' });
    const before = await caller.balance();
    const file = await fileOf(`${owned}\n${fresh}`);
    const { code, out } = await batchOf(caller, 'run', file, '--budget', '500', '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Events {2}2: 1 fresh, 0 cached, 1 owned, 0 refused\nPrice {3}\d+ credits expected now, at most 500\n$/,
    );
    const dear = ['run', file, '--budget', '500', '--max-credits-each', '1', '--dry-run'];
    expect((await batchOf(caller, ...dear)).out).toContain(`Refused ${fresh}: quote_expired`);
    expect((await jsonOf(caller, ...dear)).plan.credits).toEqual({ expected: 0, at_most: 0 });
    const small = await batchOf(caller, 'run', file, '--budget', '10', '--dry-run');
    expect(small.out).toContain('more than the budget');
    expect(small.out).toContain('Waits   1 rows: insufficient_credits');
    expect([await caller.balance(), (await listed(caller)).total]).toEqual([before, 0]);
  });

  test('Ctrl-C ends only the watching, and the same command goes on with the same batch', async () => {
    const caller = await service.newCaller(10_000);
    const release = service.simulator.hold({});
    const file = await fileOf(newIds(2).join('\n'));
    const run = ['run', file, '--budget', '5000'];
    const command = startCouncil(['batch', ...run], envOf(caller));
    await until('its rows run', () => / 2 running/.test(command.ran.err));
    command.child.kill('SIGINT');
    const { code, err } = await command.ended;
    const [{ batch_id: id, status }] = (await listed(caller)).batches;
    expect([code, status]).toEqual([1, 'running']);
    expect(err).toContain(`Batch ${id} goes on; you stopped watching it.`);
    expect(err).toContain(`npm run council -- batch show ${id} --wait`);
    release();
    const again = await batchOf(caller, ...run);
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('this command has bought nothing')]);
    const balance = await caller.balance();
    const waited = await batchOf(caller, 'show', id, '--wait');
    expect([waited.code, waited.out]).toEqual([0, expect.stringContaining(`${id}  `)]);
    expect((await batchOf(caller, ...run)).code).toBe(0);
    expect([await caller.balance(), (await listed(caller)).total]).toEqual([balance, 1]);
  });

  test('another budget or order is refused, --again and another name start a new batch', async () => {
    const caller = await service.newCaller(10_000);
    const ids = newIds(2);
    const run = async (list: readonly string[], ...options: string[]) =>
      batchOf(caller, 'run', await fileOf(list.join('\n')), '--budget', '5000', ...options);
    expect((await run(ids)).code).toBe(0);
    for (const refused of [await run(ids, '--budget', '6000'), await run(ids.toReversed())]) {
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nothing was bought.')]);
      expect(refused.err).toContain('batch resume ID --budget N');
    }
    expect((await listed(caller)).total).toBe(1);
    expect((await run(ids, '--again')).code).toBe(0);
    expect((await run(ids, '--name', 'second')).code).toBe(0);
    expect((await listed(caller)).total).toBe(3);
  });

  test('exits with 1 if a row failed or was refused, and with 3 if nothing fits into the budget', async () => {
    const caller = await service.newCaller(10_000);
    const [id = ''] = newIds(1);
    const file = await fileOf(`${id}\nno-such-event`);
    const some = await batchOf(caller, 'run', file, '--budget', '5000');
    expect([some.code, some.out]).toEqual([1, expect.stringContaining(' 1 refused')]);
    expect(some.err).toMatch(/See why: .* --rows\. Try them again: .*batch retry/);
    const none = await batchOf(caller, 'run', await fileOf(newIds(1).join()), '--budget', '1');
    expect([none.code, none.out]).toEqual([3, expect.stringMatching(/^paused \(budget\): 0 of 1/)]);
    expect(none.err).toMatch(/Raise it: .*batch resume \S+ --budget 2/);
  });

  test.each([
    ['one\none\n', /Line 2 names the event of line 1 again/],
    ['one two', /Line 1 is no id/],
    ['', /names no event/],
  ])('a file with %j is refused before anything is asked for', async (text, message) => {
    const caller = await service.newCaller(10_000);
    const { code, err } = await batchOf(caller, 'run', await fileOf(text), '--budget', '5000');
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect((await listed(caller)).total).toBe(0);
  });

  test('names a file that does not exist, and a missing budget', async () => {
    const caller = await service.newCaller(10_000);
    const missing = await batchOf(caller, 'run', join(folder, 'none'), '--budget', '5');
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('cannot be read')]);
    expect((await batchOf(caller, 'run', 'x')).code).toBe(2);
  });
});

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
