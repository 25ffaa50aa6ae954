import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { findAccountByEmail, lockAccount, openAccount } from '../../../db/accounts/accounts.js';
import { inParallel, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const login = (identity: { issuer?: string; subject: string; email?: string | null }) =>
  openAccount(world.db, { issuer: 'issuer', email: null, newId: randomUUID(), ...identity });

describe('two logins of one identity share one account', () => {
  test('even if forty first logins are concurrent', async () => {
    const subject = randomUUID();
    const accounts = await inParallel(40, () => login({ subject, email: 'ann@example.com' }));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    expect(await world.sql('select from accounts where subject = $1', [subject])).toHaveLength(1);
  });

  test('the database rejects a second account of the identity', async () => {
    const subject = randomUUID();
    await login({ subject });
    const twin = world.sql(`insert into accounts (id, issuer, subject) values ($1, 'issuer', $2)`, [
      randomUUID(),
      subject,
    ]);
    await expect(twin).rejects.toThrow(/unique/);
  });

  test('the same subject of another issuer is another account', async () => {
    const subject = randomUUID();
    const [first, second] = [await login({ subject }), await login({ subject, issuer: 'other' })];
    expect(first.id).not.toBe(second.id);
  });
});

describe('the email of an account', () => {
  test('follows the identity, and stays if a later login has none', async () => {
    const subject = randomUUID();
    const { id } = await login({ subject, email: 'old@example.com' });
    expect(await login({ subject, email: 'new@example.com' })).toEqual({ id, email: 'new@example.com' });
    expect(await login({ subject })).toEqual({ id, email: 'new@example.com' });
  });

  test('finds the account case-insensitively, and null if there is none', async () => {
    const { id } = await login({ subject: randomUUID(), email: 'Bea@Example.com' });
    expect(await findAccountByEmail(world.db, 'bea@example.COM')).toMatchObject({ id });
    expect(await findAccountByEmail(world.db, 'bea%')).toBeNull();
  });
});

describe('the lock of an account', () => {
  /** Increments by reading and then writing, which is correct only under a lock. */
  const countUp = (accountId: string) =>
    world.db.transaction().execute(async tx => {
      await lockAccount(tx, accountId);
      const { email } = await tx
        .selectFrom('accounts')
        .select('email')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      await tx
        .updateTable('accounts')
        .set({ email: String(Number(email) + 1) })
        .where('id', '=', accountId)
        .execute();
    });

  test('serialises transactions, so no count is lost', async () => {
    const { id } = await login({ subject: randomUUID(), email: '0' });
    await inParallel(40, () => countUp(id));
    expect(await world.sql('select email from accounts where id = $1', [id])).toEqual([{ email: '40' }]);
  });

  test('of an unknown account throws', async () => {
    await expect(countUp(randomUUID())).rejects.toThrow(/no result/);
  });
});
