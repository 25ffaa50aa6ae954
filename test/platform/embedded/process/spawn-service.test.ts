import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openChildLog, spawnService } from '../../../../platform/embedded/process/spawn-service.js';
import { scratchDirectory } from '../support.js';

const scratch = await scratchDirectory();

test('a log that has grown too big is moved aside when it is opened', async () => {
  const path = join(scratch, 'big', 'service.log');
  await mkdir(join(scratch, 'big'));
  await writeFile(path, 'x'.repeat(11 * 1024 * 1024));
  const log = await openChildLog(path);
  await writeFile(path, 'one\ntwo\nthree\n');
  expect(await log.lastLines(2)).toBe('two\nthree');
  expect((await stat(`${path}.1`)).size).toBe(11 * 1024 * 1024);
  await log.close();
});

test('a stack trace does not hide the text before and after it', async () => {
  const path = join(scratch, 'panic.log');
  const log = await openChildLog(path);
  const calls = Array.from({ length: 300 }, (_, at) => `main.call(0x${at})\n\t/src/main.go:${at} +0x25`).join(
    '\n',
  );
  await writeFile(path, `port taken\npanic: nil\n\ngoroutine 1 [running]:\n${calls}\n`);
  expect(await log.lastLines(3)).toBe('port taken\npanic: nil');
  await writeFile(
    path,
    `panic: nil\n\ngoroutine 1 [running]:\n${calls}\n\ngoroutine 7 [select]:\n${calls}\n\nthe end\n`,
  );
  expect(await log.lastLines()).toBe('panic: nil\n\nthe end');
  await log.close();
});

test('the end of a service is explained by its output in this run, not in earlier ones', async () => {
  const logFile = join(scratch, 'service.log');
  await writeFile(logFile, 'old words\n');
  const options = { name: 'Shell', command: 'sh', cwd: '/', env: {}, logFile, endSteps: [] };
  const service = await spawnService({ ...options, args: ['-c', 'echo new words; exit 3'] });
  expect(await service.exited).toBe('Shell ended with exit code 3');
  const { message } = await service.failure('Shell failed');
  expect(message).toContain('new words');
  expect(message).not.toContain('old words');
  expect(await readFile(logFile, 'utf8')).toBe('old words\nnew words\n');
  await service.stop();
  await expect(spawnService({ ...options, command: '/nonexistent', args: [] })).rejects.toThrow(
    'Shell could not be started',
  );
});
