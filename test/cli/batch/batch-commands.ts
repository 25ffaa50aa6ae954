import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';
import { council } from '../../support/service/council-command.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { useTestService } from '../../support/use-service.js';
import { manyEvents, manyIds } from '../../workflows/support/many-events.js';

/** A service with as many events as a test needs, and the commands of batches on it. */
export async function useBatchCommands() {
  const service = await useTestService({ markets: manyEvents(), stageDeadlinesMs: longDeadlines });
  const folder = await mkdtemp(join(tmpdir(), 'council-batch-'));
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => service.simulator.clearFaults());
  let files = 0;
  let used = 0;
  const envOf = ({ key }: TestCaller) => ({ COUNCIL_API_KEY: key, COUNCIL_BASE_URL: service.url });
  const batchOf = (caller: TestCaller, ...args: readonly string[]) =>
    council(['batch', ...args], envOf(caller));
  return {
    service,
    folder,
    envOf,
    batchOf,
    /** What a command prints with `--json`. */
    jsonOf: async (caller: TestCaller, ...args: readonly string[]) =>
      JSON.parse((await batchOf(caller, ...args, '--json')).out),
    listed: async (caller: TestCaller) => (await caller.get('/api/batches')).body,
    fileOf: async (text: string): Promise<string> => {
      const file = join(folder, `events-${++files}`);
      await writeFile(file, text);
      return file;
    },
    /** Events that no other test has reports on. */
    newIds: (count: number): string[] => {
      used += count;
      return manyIds(count, used - count + 1);
    },
  };
}
