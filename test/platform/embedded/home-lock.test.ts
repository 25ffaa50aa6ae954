import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { lockHome } from '../../../platform/embedded/home-lock.js';
import { compileEmbedded, runScript, scratchDirectory } from './support.js';

const scratch = await scratchDirectory();

describe('the lock of a home', () => {
  test('refuses a second holder and names the first', async () => {
    const home = join(scratch, 'second');
    const lock = await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(`${home} is already in use by process ${process.pid}`);
    await lock.release();
    await (await lockHome(home)).release();
    expect(await readdir(join(home, 'lock'))).toEqual([]);
  });

  test('goes to exactly one of many simultaneous starters', async () => {
    const home = join(scratch, 'race');
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockHome(home)));
      const won = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
      expect(won).toHaveLength(1);
      await won[0]?.release();
    }
  });

  test('keeps out other processes, and is released when its holder is killed', async () => {
    const home = join(scratch, 'killed');
    const compiled = await compileEmbedded(scratch);
    const text = `
      const { lockHome } = await import('./home-lock.js');
      try { await lockHome(${JSON.stringify(home)}); console.log('won'); } catch (error) { console.log(error.message); }
      setInterval(() => {}, 1000);`;
    const starters = Array.from({ length: 5 }, () => runScript(compiled, text));
    const lines = await Promise.all(starters.map(starter => starter.firstLine));
    const winner = starters[lines.indexOf('won')];
    expect(lines.filter(line => line === 'won')).toHaveLength(1);
    await expect(lockHome(home)).rejects.toThrow(`process ${winner?.pid}`);
    for (const { pid } of starters) process.kill(pid, 'SIGKILL');
    await Promise.all(starters.map(starter => starter.exited));
    await (await lockHome(home)).release();
  });

  test('is not kept by a recycled pid, a dead pid or invalid content', async () => {
    const home = join(scratch, 'recycled');
    await mkdir(join(home, 'lock'), { recursive: true });
    for (const name of [`${process.ppid}~another-life~1`, '4194999~x~2', 'rubbish', '%~%~%']) {
      await writeFile(join(home, 'lock', name), '');
    }
    const lock = await lockHome(home);
    expect(await readdir(join(home, 'lock'))).toHaveLength(1);
    await lock.release();
  });
});
