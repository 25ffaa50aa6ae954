import { expect, test } from '@jest/globals';
import { createPasswordHashing, PasswordsBusy } from '../../../api/auth/password-hashing.js';
import { until } from '../../support/until.js';

test('few passwords are hashed at once, some wait, and further ones are refused', async () => {
  const running: (() => void)[] = [];
  let most = 0;
  const slow = () =>
    new Promise<void>(resolve => {
      running.push(resolve);
      most = Math.max(most, running.length);
    });
  const passwords = createPasswordHashing(
    {
      hash: async password => {
        await slow();
        return `hash of ${password}`;
      },
      verify: async () => {
        await slow();
        return true;
      },
    },
    2,
    3,
  );
  const accepted = [0, 1, 2, 3, 4].map(index =>
    index % 2 === 0 ? passwords.hash(String(index)) : passwords.verify({ hash: '', password: '' }),
  );
  await expect(passwords.hash('one more')).rejects.toThrow(PasswordsBusy);
  for (let ended = 0; ended < accepted.length; ended++) {
    (await until('a password is hashed', () => running.shift()))?.();
  }
  expect(await Promise.all(accepted)).toEqual(['hash of 0', true, 'hash of 2', true, 'hash of 4']);
  expect(most).toBe(2);
});

test('a failure frees its place', async () => {
  const passwords = createPasswordHashing(
    { hash: () => Promise.reject(new Error('broken')), verify: async () => true },
    1,
    0,
  );
  await expect(passwords.hash('x')).rejects.toThrow('broken');
  await expect(passwords.verify({ hash: '', password: '' })).resolves.toBe(true);
});
