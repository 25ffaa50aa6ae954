import type { TestWorld } from './test-world.js';

/** Row counts by table name. */
export async function countRows(world: TestWorld): Promise<Record<string, number>> {
  const tables = await world.sql(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [{ rows }] = await world.sql(`select count(*) as rows from public."${name}"`);
      return [name, rows];
    }),
  );
  return Object.fromEntries(counts);
}
