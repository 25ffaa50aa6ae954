import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * The steps of migrations that take long on a big table. They run beside a service that reads and writes, hold no lock
 * for long, and do nothing that an earlier attempt has done already.
 */

/** Rows of a batch: some ten milliseconds, in which writers of these rows wait. */
const batchRows = 1_000;

/**
 * Changes the rows of a table in batches, each with its own commit.
 * @param key a column with a unique index, whose values are compared as whole numbers
 * @param change the statement that changes the rows with `after < key <= upTo`, except those that need no change
 */
export async function inBatches(
  db: Kysely<unknown>,
  { table, key }: { table: string; key: string },
  change: (after: number, upTo: number) => RawBuilder<unknown>,
): Promise<void> {
  const [rows, column] = [sql.table(table), sql.ref(key)];
  for (let after = -1; ; ) {
    const { rows: batches } = await sql<{ upTo: number | null }>`
      select max(key) as "upTo"
      from (select ${column} as key from ${rows} where ${column} > ${after} order by 1 limit ${batchRows}) as batch
    `.execute(db);
    const upTo = batches[0]?.upTo ?? null;
    if (upTo === null) return;
    await change(after, upTo).execute(db);
    after = upTo;
  }
}

/**
 * Builds an index beside writers, unless it is there. One that a killed or failed attempt has left invalid is dropped
 * first: PostgreSQL keeps it up to date and never reads it.
 * @param on what follows `on`: table, columns and condition
 */
export async function buildIndex(
  db: Kysely<unknown>,
  { name, on, unique = false }: { name: string; on: RawBuilder<unknown>; unique?: boolean },
): Promise<void> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.valid === true) return;
  if (rows[0] !== undefined) await dropIndex(db, name);
  const kind = sql.raw(unique ? 'unique index' : 'index');
  await patiently(db, sql`create ${kind} concurrently ${sql.ref(name)} on ${on}`);
}

/** Drops an index beside readers and writers, if it is there. */
export async function dropIndex(db: Kysely<unknown>, name: string): Promise<void> {
  await patiently(db, sql`drop index concurrently if exists ${sql.ref(name)}`);
}

/** Sets no limit for locks: nobody waits behind these statements, which wait for all transactions of the moment. */
async function patiently(db: Kysely<unknown>, statement: RawBuilder<unknown>): Promise<void> {
  await sql`set lock_timeout = 0`.execute(db);
  try {
    await statement.execute(db);
  } finally {
    await sql`reset lock_timeout`.execute(db);
  }
}
