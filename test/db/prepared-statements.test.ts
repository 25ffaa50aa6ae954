import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connect, type Db } from '../../db/database.js';
import { useTestWorld } from './support/test-world.js';

const world = useTestWorld();

/** What the session holds, with one connection: work is done one statement after the other. */
async function preparedIn(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement);
}

test('a statement is prepared once it is sent often, and a `select *` or a rare statement never', async () => {
  const { db, close } = connect(world.url, () => undefined);
  for (let sent = 0; sent < 10; sent += 1) {
    await sql`select ${sent}::int as often`.execute(db);
    await sql`select * from (select ${sent}::int) as whole`.execute(db);
  }
  await sql`select ${1}::int as rare`.execute(db);
  expect(await preparedIn(db)).toEqual(['select $1::int as often']);
  await close();
});

test('a session holds a bounded number of statements', async () => {
  const { db, close } = connect(world.url, () => undefined);
  for (let text = 0; text < 200; text += 1) {
    for (let sent = 0; sent < 5; sent += 1) {
      await sql`select ${sent}::int as ${sql.ref(`column_${text}`)}`.execute(db);
    }
  }
  expect((await preparedIn(db)).length).toBe(150);
  await close();
});
