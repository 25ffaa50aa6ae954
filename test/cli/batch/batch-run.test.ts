import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { batchDryRunsPerMinute } from '../../../purchase/limits.js';
import { startProxy } from '../../mcp/support/proxy.js';
import { council as runCouncil, startCouncil } from '../../support/service/council-command.js';
import { until } from '../../support/until.js';
import { useBatchCommands } from './batch-commands.js';

const { service, folder, envOf, batchOf, jsonOf, listed, fileOf, newIds } = await useBatchCommands();

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
    expect(none.err).toMatch(/Raise it: .*batch resume \S+ --budget N/);
  });

  test('goes on without the price once it was asked for too often', async () => {
    const caller = await service.newCaller(10_000);
    const run = ['run', await fileOf(newIds(1).join()), '--budget', '5000'];
    for (let count = 0; count < batchDryRunsPerMinute; count++)
      expect((await batchOf(caller, ...run, '--dry-run')).code).toBe(0);
    const refused = await batchOf(caller, ...run, '--dry-run');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('rate_limited')]);
    const { code, err } = await batchOf(caller, ...run);
    expect([code, err]).toEqual([0, expect.not.stringContaining('Price')]);
  });

  test('follows its batch through an outage of the service', async () => {
    const caller = await service.newCaller(10_000);
    const proxy = await startProxy(service.url);
    let failures = 0;
    proxy.onRequest = what =>
      what.startsWith('GET /api/batches/') && failures++ < 2 ? 'lose_response' : 'forward';
    const env = { ...envOf(caller), COUNCIL_BASE_URL: proxy.url };
    const file = await fileOf(newIds(1).join());
    const { code, out } = await runCouncil(['batch', 'run', file, '--budget', '5000'], env);
    await proxy.close();
    expect([code, out]).toEqual([0, expect.stringContaining('completed: 1 of 1')]);
    expect(failures).toBeGreaterThan(2);
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
