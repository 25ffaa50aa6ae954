import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createSharedCounts } from '../../../db/throttling/shared-counts.js';
import { createTestDatabase, patienceMs, type TestDatabase } from '../../support/service/test-database.js';

describe('shared counts', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const newProcess = () =>
    createSharedCounts(database.servicePool, error => expect(error).toBeUndefined(), patienceMs);

  test('of two processes are one, also when both add at the same time', async () => {
    const [one, other] = [newProcess(), newProcess()];
    const added = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).add('key', 1, 60)),
    );
    expect(added.map(({ points }) => points).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    expect((await other.read('key'))?.points).toBe(40);
    await one.forget('key');
    expect(await other.read('key')).toBeNull();
  });

  test('go on in the memory of the process when the database is away', async () => {
    // Nobody listens on this port.
    const away = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/nowhere' });
    const errors: unknown[] = [];
    const counts = createSharedCounts(away, error => errors.push(error));
    expect((await counts.add('key', 3, 60)).points).toBe(3);
    expect((await counts.add('key', 3, 60)).points).toBe(6);
    expect((await counts.read('key'))?.points).toBe(6);
    await counts.forget('key');
    expect(await counts.read('key')).toBeNull();
    expect(errors).toHaveLength(1);
    await away.end();
  });
});
