import { expect, test } from '@jest/globals';
import { createTurns } from '../../../api/purchases/temporal-purchaser.js';

test('one at a time goes through for a key, in order, and knows whether it had to wait', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const act = (name: string) => (hasWaited: boolean) => {
    seen.push(`${name} ${hasWaited ? 'waited' : 'came first'}`);
    return name === 'second' ? Promise.reject(new Error('no')) : Promise.resolve(name);
  };
  const taken = ['first', 'second', 'third'].map(name => turns.take('run', act(name)));
  const other = turns.take('another run', act('stranger'));
  expect((await Promise.allSettled(taken)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  await other;
  expect(await turns.take('run', act('later'))).toBe('later');
  expect(seen).toEqual([
    'first came first',
    'stranger came first',
    'second waited',
    'third waited',
    'later came first',
  ]);
});
