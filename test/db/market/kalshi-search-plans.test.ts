import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import type { KalshiEventSearch } from '../../../db/market/kalshi-events.js';
import type { Database } from '../../../db/schema/schema.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';
import { searchIndex } from '../support/kalshi-search.js';

/** More than twice the open events that Kalshi had in its largest known catalogue. */
const eventsIndexed = 100_000;

let database: TestDatabase;
let statements: CompiledQuery[] = [];
let search: (query: Partial<KalshiEventSearch>) => ReturnType<typeof searchIndex>;

beforeAll(async () => {
  database = await createTestDatabase();
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void statements.push(query),
  });
  search = query => searchIndex(db, query);
  await database.pool.query(
    `insert into kalshi_events
       (ticker, title, sub_title, series_ticker, category, volume_contracts, closes_at, status, updated_at)
     select 'KXCROWD-' || n, 'Crowd of group' || n % 1000, '', 'KXCROWD', 'Sports', n,
       timestamptz '2031-03-01T00:00Z' + n * interval '1 minute',
       case when n % 3 = 0 then 'closed' else 'open' end, timestamptz '2031-03-01T00:00Z'
     from generate_series(1, ${eventsIndexed}) as n`,
  );
  await database.pool.query('analyze kalshi_events');
}, 120_000);

afterAll(() => database.drop());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The plans of the page and of the total, which one statement reads. */
async function plansOf(query: Partial<KalshiEventSearch>): Promise<readonly [PlanNode[], PlanNode[]]> {
  statements = [];
  await search(query);
  const [{ sql, parameters } = { sql: '', parameters: [] }] = statements;
  const { rows } = await database.pool.query(`explain (format json) ${sql}`, [...parameters]);
  const all: PlanNode[] = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  const part = (name: string) =>
    all.filter(node => node['Subplan Name']?.startsWith(name)).flatMap(node => nodesOf(node));
  return [part('InitPlan 1'), part('InitPlan 2')];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

const indexesOf = (nodes: readonly PlanNode[]) => nodes.flatMap(node => node['Index Name'] ?? []);
const scans = (nodes: readonly PlanNode[]) => nodes.filter(node => node['Node Type'] === 'Seq Scan').length;
const sorts = (nodes: readonly PlanNode[]) => nodes.filter(node => node['Node Type'] === 'Sort').length;

describe(`among ${eventsIndexed} events of Kalshi`, () => {
  test.each([
    ['relevance', 'open'],
    ['volume', 'all'],
    ['closing', 'open'],
  ] as const)(
    'words are found by the text index, page and total, in order of %s of %s events',
    async (...of) => {
      const [sort, status] = of;
      for (const part of await plansOf({ search: 'group7', sort, status })) {
        expect([indexesOf(part), scans(part)]).toEqual([['kalshi_events_search'], 0]);
      }
    },
  );

  // The total counts each open event: about 25 ms for as many, once in 30 seconds, because answers are shared.
  test.each([
    ['volume', 'kalshi_events_volume'],
    ['closing', 'kalshi_events_closing'],
  ] as const)('a page in order of %s is read in that order and never sorted', async (sort, index) => {
    const [page] = await plansOf({ sort });
    expect([indexesOf(page), scans(page), sorts(page)]).toEqual([[index], 0, 0]);
  });

  test.each([
    ['kalshi_events_search', { search: 'group7' }],
    ['kalshi_events_volume', { sort: 'volume' }],
    ['kalshi_events_closing', { sort: 'closing' }],
  ] as const)('without the index %s, the table is read as a whole', async (index, query) => {
    const { rows } = await database.pool.query('select indexdef from pg_indexes where indexname = $1', [
      index,
    ]);
    await database.pool.query(`drop index ${index}`);
    const [page] = await plansOf(query);
    await database.pool.query(rows[0].indexdef);
    expect(scans(page)).toBeGreaterThan(0);
  });
});
