import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { migrations } from '../../db/migrations/index.js';

const folder = 'db/migrations';
const files = readdirSync(folder).filter(name => /^\d{4}-.*\.ts$/.test(name));

/**
 * Statements that break the version that is still running: it reads the columns it knows, and inserts rows
 * without those it does not know. A migration that needs one says since which release the old form is unused
 * (deploy/README.md, "Migrations"), in a line that begins with `contracts:`.
 */
const breaking: readonly (readonly [what: string, shape: RegExp])[] = [
  ['drops a table', /\bdrop\s+(table|view|schema|type)\b/i],
  [
    'drops a column',
    /\balter\s+table\b[^`]*?\bdrop\s+(column\s+)?(?!constraint|default|not\b|trigger|expression)\w/i,
  ],
  ['renames', /\brename\s+(to|column|table)\b/i],
  ['changes the type of a column', /\balter\s+(column\s+)?"?\w+"?\s+(set\s+data\s+)?type\b/i],
  ['demands a value that the old version does not write', /\bset\s+not\s+null\b/i],
  [
    'adds a column that must have a value',
    /\badd\s+(column\s+)?(?!constraint)"?\w+"?\s[^,;`]*\bnot\s+null\b(?![^,;`]*\bdefault\b)/i,
  ],
  ['empties a table', /\btruncate\s+(table\s+)?"?\w/i],
];

function faultsOf(text: string): string[] {
  if (/^\s*(\/\*\*|\*|\/\/)\s*contracts: \S.{20,}/m.test(text)) return [];
  // A trigger on `truncate` is not a `truncate`.
  const statements = text.replaceAll(/\b(before|after|or)\s+truncate\b/gi, '');
  return breaking.flatMap(([what, shape]) => (shape.test(statements) ? [what] : []));
}

/**
 * What holds a lock for as long as a big table takes, while the service waits for it and fails. It holds for tables that
 * the migration does not create itself. `db/migrations/online.ts` has the steps that do the same beside the service.
 */
const locking: readonly (readonly [what: string, shape: RegExp])[] = [
  [
    'builds an index under a lock',
    /\bcreate\s+(unique\s+)?index\b(?!\s+concurrently)[^;`]*?\bon\s+(?<table>[^\s(]+)/gi,
  ],
  ['changes a whole table', /`\s*(update|delete\s+from)\s+(only\s+)?(?<table>[^\s`]+)[^`]*`\s*\.execute/gi],
  [
    'checks all rows under a lock',
    /\balter\s+table\s+(?<table>[^\s`]+)[^`;]*?\badd\b[^`;]*?\b(check|references|unique|primary\s+key)\b(?!(?:\((?:[^()]|\([^()]*\))*\)|[^`;,(])*\bnot\s+valid\b|\s+using\b)/gi,
  ],
  [
    'writes a table anew',
    /\balter\s+table\s+(?<table>[^\s`]+)[^`;]*?\badd\b[^`;]*?(\bdefault\s+(?!now\b)\w+\s*\(|\bgenerated\b)/gi,
  ],
];

function locksOf(text: string): string[] {
  const created = new Set(
    [...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(\S+)/gi)].map(([, table]) => table),
  );
  return locking.flatMap(([what, shape]) =>
    [...text.matchAll(shape)].flatMap(({ groups }) => (created.has(groups?.['table']) ? [] : [what])),
  );
}

describe('migrations', () => {
  test('have a number each, and all of them run', () => {
    expect(new Set(files.map(name => name.slice(0, 4))).size).toBe(files.length);
    expect(Object.keys(migrations)).toEqual(files.map(name => name.replace('.ts', '')));
  });

  test.each(files)('%s does not break the version that is still running', name => {
    expect(faultsOf(readFileSync(`${folder}/${name}`, 'utf8'))).toEqual([]);
  });

  test.each([
    'drop table reports',
    'alter table reports drop column seed',
    'alter table reports drop seed',
    'alter table reports rename column seed to salt',
    'alter table reports rename to runs',
    'alter table reports alter column seed type uuid using seed::uuid',
    'alter table reports alter column stage set not null',
    'alter table reports add column note text not null',
    'truncate table events',
  ])('%s would be found', statement => {
    const text = `await sql\`${statement}\`.execute(db);`;
    expect(faultsOf(text)).toHaveLength(1);
    expect(faultsOf(`/** contracts: unused since the release of 5 March. */\n${text}`)).toEqual([]);
  });

  test.each([
    'create table a (b bigint not null)',
    "alter table reports add column note text not null default ''",
    'alter table reports add column note text',
    'alter table reports add constraint note_is_short check (length(note) < 10)',
    'alter table reports drop constraint note_is_short',
    'create trigger never_truncated before truncate on reports',
  ])('%s may be done at any time', statement => {
    expect(faultsOf(`await sql\`${statement}\`.execute(db);`)).toEqual([]);
  });

  test.each(files)('%s locks no table for as long as it is big', name => {
    expect(locksOf(readFileSync(`${folder}/${name}`, 'utf8'))).toEqual([]);
  });

  test.each([
    'create index a on reports (seed)',
    'create unique index a on ${sql.table(table)} (seed)',
    'update reports set seed = null',
    'delete from auth."session"',
    'alter table reports add constraint short check (length(seed) < 10)',
    'alter table reports add column note text check (length(note) < 10)',
    'alter table reports add note text, add column account_id uuid references accounts (id)',
    'alter table reports add unique (seed)',
    'alter table reports add column id uuid default gen_random_uuid()',
    'alter table reports add column size int generated always as (length(seed)) stored',
  ])('%s would be found', statement => {
    expect(locksOf(`await sql\`${statement}\`.execute(db);`)).toHaveLength(1);
  });

  test.each([
    'create table a (b text check (b > 0)); create index c on a (b); update a set b = 1',
    'create index concurrently a on reports (seed)',
    'alter table reports add column note text, add constraint short check (length(note) < 10) not valid',
    "alter table reports add check (length(note) in (1, 2) and seed in ('a', 'b')) not valid, add n int",
    'alter table reports add column at timestamptz not null default now(), add column n int default 0',
    'alter table reports validate constraint short',
    'create trigger a before update on reports for each row execute function b()',
    'create function a() returns trigger as $$ begin update reports set seed = new.seed; end $$',
  ])('%s takes no longer on a big table', statement => {
    expect(locksOf(`await sql\`${statement}\`.execute(db);`)).toEqual([]);
  });
});
