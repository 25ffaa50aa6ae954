import type pg from 'pg';

/** Every row of every table, in all schemas, as text. Binary values appear in hex and as characters. */
export async function dumpDatabase(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ line: string }>(`select held::text as line from ${name} as held`);
    parts.push(name, ...rows.map(({ line }) => `${line} ${bytesIn(line)}`));
  }
  return parts.join('\n');
}

function bytesIn(line: string): string {
  return [...line.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join(' ');
}
