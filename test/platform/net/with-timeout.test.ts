import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { withTimeout } from '../../../platform/net/with-timeout.js';

describe('withTimeout', () => {
  test('returns the result of work that finishes in time', async () => {
    await expect(withTimeout(1_000, Promise.resolve('done'))).resolves.toBe('done');
  });

  test('passes on the error of work that fails in time', async () => {
    await expect(withTimeout(1_000, Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  });

  test('rejects when the time is up, with the error of the caller if there is one', async () => {
    const never = new Promise(() => undefined);
    await expect(withTimeout(10, never)).rejects.toThrow('not done within 10 ms');
    await expect(withTimeout(10, never, () => new Error('too late'))).rejects.toThrow('too late');
  });

  test('ignores an error that arrives after the time is up', async () => {
    const late = pause(20).then(() => Promise.reject(new Error('late')));
    await expect(withTimeout(5, late)).rejects.toThrow('not done within 5 ms');
    await pause(40);
  });
});
