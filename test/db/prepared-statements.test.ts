import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { projectFiles } from '../../config/project-files.js';
import { connect, type Db } from '../../db/database.js';
import { useTestWorld } from './support/test-world.js';

const world = useTestWorld();

const addressed = (prepared: boolean): string => {
  const url = new URL(world.url);
  url.searchParams.set('prepared_statements', String(prepared));
  return url.href;
};

const connected = async <Result>(prepared: boolean, use: (db: Db) => Promise<Result>): Promise<Result> => {
  const { db, close } = connect(addressed(prepared), () => undefined);
  try {
    // One connection for all of it: names are a connection's own.
    return await db.connection().execute(use);
  } finally {
    await close();
  }
};

const titleOf = (db: Db, eventId: string) =>
  db.selectFrom('events').select('title').where('event_id', '=', eventId).executeTakeFirst();

const keptBy = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement).filter(statement => !statement.includes('pg_prepared'));
};

test('a statement that is asked again is kept by the database, once', async () => {
  const eventId = await world.openEvent();
  const kept = await connected(true, async db => {
    const [first, again] = [await titleOf(db, eventId), await titleOf(db, eventId)];
    expect(first).toBeDefined();
    expect(again).toEqual(first);
    return keptBy(db);
  });
  expect(kept).toEqual([expect.stringContaining('from "events"')]);
});

test('nothing is kept where the address does not say so: a pooler may stand in between', async () => {
  const kept = await connected(false, async db => {
    await titleOf(db, 'none');
    return keptBy(db);
  });
  expect(kept).toEqual([]);
});

test('rows in bulk are asked for without a name: their statement differs with their number', async () => {
  const asked = (ids: number) => Array.from({ length: ids }, (_, index) => `event-${index}`);
  const kept = await connected(true, async db => {
    for (const ids of [2, 64, 65, 200])
      await db.selectFrom('events').select('title').where('event_id', 'in', asked(ids)).execute();
    return keptBy(db);
  });
  const parameters = kept.map(statement => statement.match(/\$\d+/g)?.length ?? 0);
  expect(parameters.sort((a, b) => a - b)).toEqual([2, 64]);
});

test('a statement that failed can be asked again on the same connection', async () => {
  await connected(true, async db => {
    const divided = (by: number) => sql<{ n: number }>`select 6 / ${by}::int as n`.execute(db);
    await expect(divided(0)).rejects.toThrow(/division by zero/);
    expect((await divided(2)).rows).toEqual([{ n: 3 }]);
  });
});

test('a column that a migration adds breaks no statement that is kept', async () => {
  await world.sql('create table widened (id int, word text)');
  await world.sql(`insert into widened values (1, 'kept')`);
  await connected(true, async db => {
    const word = async () => (await sql`select word from widened where id = ${1}`.execute(db)).rows;
    const before = await word();
    await world.sql('alter table widened add column more text');
    expect(await word()).toEqual(before);
    const everything = async () => (await sql`select * from widened where id = ${1}`.execute(db)).rows;
    await everything();
    await world.sql('alter table widened add column even_more text');
    await expect(everything()).rejects.toThrow(/cached plan must not change result type/);
  });
});

const asksForAll = /\b(selectAll|returningAll)\(|\bselect \*/;

test('no statement asks for all columns, which is what would break', () => {
  for (const folder of ['db', 'api', 'activities', 'cli', 'telemetry'])
    for (const file of readdirSync(join(projectFiles.root, folder), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts'))
        expect({ file, text: readFileSync(join(projectFiles.root, folder, file), 'utf8') }).toEqual({
          file,
          text: expect.not.stringMatching(asksForAll),
        });
  expect(`db.selectFrom('events').selectAll()`).toMatch(asksForAll);
});
