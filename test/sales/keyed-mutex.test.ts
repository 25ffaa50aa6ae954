import { expect, test } from '@jest/globals';
import { KeyedMutex } from '../../sales/keyed-mutex.js';

test('tasks of one key run one at a time, in order, and know whether they had to wait', async () => {
  const mutex = new KeyedMutex();
  const seen: string[] = [];
  const task = (name: string) => (hasWaited: boolean) => {
    seen.push(`${name} ${hasWaited ? 'waited' : 'ran at once'}`);
    return name === 'second' ? Promise.reject(new Error('no')) : Promise.resolve(name);
  };
  const tasks = ['first', 'second', 'third'].map(name => mutex.runExclusive('run', task(name)));
  const other = mutex.runExclusive('another run', task('other'));
  expect((await Promise.allSettled(tasks)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  await other;
  expect(await mutex.runExclusive('run', task('later'))).toBe('later');
  expect(seen).toEqual([
    'first ran at once',
    'other ran at once',
    'second waited',
    'third waited',
    'later ran at once',
  ]);
});
