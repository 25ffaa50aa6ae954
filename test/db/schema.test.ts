import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { at } from '../../council/numbers.js';
import { useTestWorld } from './support/test-world.js';

const world = useTestWorld();

interface Column {
  readonly table: string;
  readonly column: string;
  readonly nullable: boolean;
}

/** The tables as the schema files tell them. */
function told(): Column[] {
  const source = ['db/schema.ts', 'db/schema-payments.ts', 'db/schema-record.ts']
    .map(file => readFileSync(file, 'utf8'))
    .join('\n');
  const interfaces = new Map(
    [...source.matchAll(/^(?:export )?interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(found => [
      at(found, 1),
      at(found, 2),
    ]),
  );
  return fieldsOf(interfaces.get('Database')).flatMap(({ name: table, type }) =>
    fieldsOf(interfaces.get(type)).map(field => ({
      table,
      column: field.name,
      nullable: /\bnull\b|^LateJson/.test(field.type),
    })),
  );
}

function fieldsOf(body = ''): { name: string; type: string }[] {
  return [...body.matchAll(/^ {2}(\w+): (.+);$/gm)].map(found => ({
    name: at(found, 1),
    type: at(found, 2),
  }));
}

test('the code knows exactly the tables and columns that the migrations make, and which may be empty', async () => {
  const made = await world.sql(
    `select table_name as "table", column_name as "column", is_nullable = 'YES' as nullable
     from information_schema.columns where table_schema = 'public' and table_name not like 'kysely%'`,
  );
  const lines = (columns: readonly Column[]) =>
    columns.map(({ table, column, nullable }) => `${table}.${column}${nullable ? '?' : ''}`).sort();
  expect(made.length).toBeGreaterThan(80);
  expect(lines(told())).toEqual(lines(made));
});
