import pg from 'pg';
import { migrate } from '../../../db/migrate.js';
import { migrations } from '../../../db/migrations/index.js';

/**
 * A logical copy of a database as plain SQL, with `pg_dump`'s guarantees: one REPEATABLE READ snapshot, so it is
 * consistent under load. PostgreSQL's own programs are not part of the embedded server. The schema is that of the
 * migrations up to the one named in the first line, which are never edited; so the file holds rows only.
 */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only; set local timezone to 'UTC'");
    const { rows: newest } = await client.query('select max(name) as name from kysely_migration');
    const lines = [`${header}${newest[0].name}`];
    for (const { table, columns } of await tablesOf(client)) {
      const values = columns.map(column => `quote_nullable(${column}::text)`).join(", ', ', ");
      const { rows } = await client.query(`select concat(${values}) as row from ${table} order by 1`);
      const into = `insert into ${table} (${columns.join(', ')}) overriding system value values`;
      lines.push(...rows.map(({ row }) => `${into} (${row});`));
    }
    return `${lines.join('\n')}\n`;
  } finally {
    await client.end();
  }
}

const header = '-- rows of a database migrated to ';

/**
 * Restores a dump into an empty database: the schema of its version, its rows, and then the constraints and triggers,
 * as `pg_restore` does. Later migrations are left to the caller.
 */
export async function restoreDatabase(url: string, dump: string): Promise<void> {
  const version = dump.slice(header.length, dump.indexOf('\n'));
  await migrate(url, Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= version)));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    const tables = (await tablesOf(client)).map(({ table }) => table);
    const { rows: keys } = await client.query(foreignKeys);
    for (const { of, name } of keys) await client.query(`alter table ${of} drop constraint ${name}`);
    for (const table of tables) {
      await client.query(`alter table ${table} disable trigger user; delete from ${table}`);
    }
    await client.query(dump);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
    for (const { of, name, definition } of keys) {
      await client.query(`alter table ${of} add constraint ${name} ${definition}`);
    }
    await client.query(numbersContinue);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function tablesOf(client: pg.Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query(
    `select format('%I.%I', table_schema, table_name) as table,
       array_agg(quote_ident(column_name) order by ordinal_position)::text[] as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and table_name not like 'kysely%'
     group by 1 order by 1`,
  );
  return rows;
}

const foreignKeys = `
  select conrelid::regclass as of, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace in ('public'::regnamespace, 'auth'::regnamespace)`;

const numbersContinue = `
  do $$
  declare
    identity record;
    newest bigint;
  begin
    for identity in select format('%I.%I', table_schema, table_name) as of, column_name as name
      from information_schema.columns where table_schema = 'public' and is_identity = 'YES'
    loop
      execute format('select max(%I) from %s', identity.name, identity.of) into newest;
      if newest is not null then
        perform setval(pg_get_serial_sequence(identity.of, identity.name), newest);
      end if;
    end loop;
  end $$`;
