import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import {
  endProcess,
  findProcesses,
  identifyProcess,
} from '../../../../platform/embedded/process/processes.js';

const platforms = process.platform === 'linux' ? (['linux', 'darwin'] as const) : [process.platform];

describe.each(platforms)('processes seen as on %s', platform => {
  test('have an identity that is stable and unique', async () => {
    const child = spawn('sleep', ['77.25'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const identity = await identifyProcess(pid, platform);
    expect(identity).toMatch(/\d/);
    expect(await identifyProcess(pid, platform)).toBe(identity);
    expect(await identifyProcess(1, platform)).not.toBe(identity);
    expect(await findProcesses(line => line === 'sleep 77.25', platform)).toEqual([pid]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await identifyProcess(pid, platform)).toBeUndefined();
  });
});

test('ending a process continues with the next signal when one is ignored', async () => {
  const child = spawn('sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.05; done']);
  await once(child.stdout, 'data');
  const exit = once(child, 'exit');
  const pid = child.pid ?? 0;
  await expect(endProcess(pid, [{ signal: 'SIGTERM', waitMs: 50 }])).rejects.toThrow(
    'did not end after SIGTERM',
  );
  await endProcess(pid, [
    { signal: 'SIGTERM', waitMs: 50 },
    { signal: 'SIGKILL', waitMs: 5000 },
  ]);
  expect((await exit)[1]).toBe('SIGKILL');
  await endProcess(pid, [{ signal: 'SIGKILL', waitMs: 5000 }]);
});
