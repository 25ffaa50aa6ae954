import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  findAccount,
  findAccountsByEmail,
  lockAccount,
  markEmailVerified,
  openAccount,
} from '../../../db/accounts/accounts.js';
import { inParallel, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const noon = new Date('2026-11-23T12:00:00Z');

const login = (identity: {
  issuer?: string;
  subject: string;
  email?: string | null;
  verifiedAt?: Date | null;
}) => openAccount(world.db, { issuer: 'issuer', email: null, newId: randomUUID(), ...identity });

describe('two logins of one identity share one account', () => {
  test('even if forty first logins are concurrent, and the database rejects a second', async () => {
    const subject = randomUUID();
    const accounts = await inParallel(40, () => login({ subject, email: 'ann@example.com' }));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    expect(await world.sql('select from accounts where subject = $1', [subject])).toHaveLength(1);
    const insert = `insert into accounts (id, issuer, subject) values (gen_random_uuid(), 'issuer', $1)`;
    await expect(world.sql(insert, [subject])).rejects.toThrow(/unique/);
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
    expect(await login({ subject, email: 'new@example.com' })).toMatchObject({
      id,
      email: 'new@example.com',
    });
    expect(await login({ subject })).toMatchObject({ id, email: 'new@example.com' });
  });

  test('finds the account case-insensitively, and none for a pattern', async () => {
    const { id } = await login({ subject: randomUUID(), email: 'Bea@Example.com' });
    expect(await findAccountsByEmail(world.db, 'bea@example.COM')).toMatchObject([{ id }]);
    expect(await findAccountsByEmail(world.db, 'bea%')).toEqual([]);
  });

  test('leads to the accounts that have verified it, and to all if none has', async () => {
    const email = `${randomUUID()}@example.com`;
    const owner = await login({ subject: randomUUID(), email });
    const stranger = await login({ subject: randomUUID(), email, issuer: 'elsewhere' });
    expect(await findAccountsByEmail(world.db, email)).toHaveLength(2);
    await markEmailVerified(world.db, owner.id, noon);
    expect((await findAccountsByEmail(world.db, email)).map(({ id }) => id)).toEqual([owner.id]);
    await markEmailVerified(world.db, stranger.id, noon);
    expect(await findAccountsByEmail(world.db, email)).toHaveLength(2);
  });
});

describe('a verified address', () => {
  const later = new Date(noon.getTime() + 1_000);

  test('stays verified since the first time, also if later logins do not say so', async () => {
    const identity = { subject: randomUUID(), email: 'Cem@example.com' };
    const { id, emailVerifiedAt } = await login(identity);
    expect(emailVerifiedAt).toBeNull();
    expect(await markEmailVerified(world.db, id, noon)).toMatchObject({ id, emailVerifiedAt: noon });
    expect(await markEmailVerified(world.db, id, later)).toMatchObject({ emailVerifiedAt: noon });
    const logins = [identity, { ...identity, verifiedAt: later }, { ...identity, email: null }];
    for (const again of logins) expect(await login(again)).toMatchObject({ emailVerifiedAt: noon });
    expect(await login({ ...identity, email: 'cem@EXAMPLE.com' })).toMatchObject({ emailVerifiedAt: noon });
  });

  test('is verified by the first login that says so', async () => {
    const identity = { subject: randomUUID(), email: 'dora@example.com' };
    await login(identity);
    expect(await login({ ...identity, verifiedAt: noon })).toMatchObject({ emailVerifiedAt: noon });
    const first = { subject: randomUUID(), email: 'eli@example.com', verifiedAt: noon };
    expect(await login(first)).toMatchObject({ emailVerifiedAt: noon });
  });

  test('is not the next one: another address has to be verified again', async () => {
    const identity = { subject: randomUUID(), email: 'fay@example.com', verifiedAt: noon };
    await login(identity);
    const moved = { subject: identity.subject, email: 'fay@elsewhere.example' };
    expect(await login(moved)).toMatchObject({ email: moved.email, emailVerifiedAt: null });
    expect(await login({ ...moved, verifiedAt: later })).toMatchObject({ emailVerifiedAt: later });
  });

  test('belongs to an account that has one', async () => {
    const { id } = await login({ subject: randomUUID(), verifiedAt: noon });
    expect(await markEmailVerified(world.db, id, noon)).toBeNull();
    expect(await findAccount(world.db, id)).toEqual({ id, email: null, emailVerifiedAt: null });
    expect(await markEmailVerified(world.db, randomUUID(), noon)).toBeNull();
    expect(await findAccount(world.db, randomUUID())).toBeNull();
  });
});

describe('the lock of an account', () => {
  /** Increments by reading and then writing, which is correct only under a lock. */
  const countUp = (accountId: string) =>
    world.db.transaction().execute(async tx => {
      await lockAccount(tx, accountId);
      const row = tx.selectFrom('accounts').select('email').where('id', '=', accountId);
      const email = String(Number((await row.executeTakeFirstOrThrow()).email) + 1);
      await tx.updateTable('accounts').set({ email }).where('id', '=', accountId).execute();
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
