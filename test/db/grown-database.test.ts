import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Kysely, sql } from 'kysely';
import { type Connections, connect } from '../../db/database.js';
import { isMigrated, migrate } from '../../db/migrate.js';
import { type Migration, migrations } from '../../db/migrations/index.js';
import { buildIndex, dropIndex, inBatches } from '../../db/migrations/online.js';
import { restoreDatabase } from '../support/dump/dump-database.js';
import { createEmptyDatabase, type TestDatabase } from '../support/service/test-database.js';
import { growDatabase } from './support/grown-database.js';

/**
 * A database of 1.0.0 that has grown is migrated while 1.0.0 goes on writing: by every later migration, and by one of
 * each kind that `online.ts` has. By hand, with the longest wait of the writer: `GROWN_REPORTS=100000 npm run test:one -- test/db/grown-database`.
 */
const given = process.env['GROWN_REPORTS'];
const reports = Number(given ?? 5_000);

const kinds: Record<string, Migration> = {
  '9001-column': {
    up: async db => {
      await sql`alter table provider_calls add column old boolean`.execute(db);
      await sql`alter table provider_calls alter column old set default false`.execute(db);
    },
  },
  '9002-rows-and-indexes': { up: rowsAndIndexes, online: true },
};

async function rowsAndIndexes(db: Kysely<unknown>): Promise<void> {
  await inBatches(
    db,
    { table: 'provider_calls', key: 'id' },
    (after, upTo) => sql`
      update provider_calls set old = true where old is null and id > ${after} and id <= ${upTo}`,
  );
  await buildIndex(db, { name: 'provider_calls_old', on: sql`provider_calls (old, called_at)` });
  await dropIndex(db, 'provider_calls_day');
}

let database: TestDatabase;
/** The connections of a process of the service, with its limits. */
let writer: Connections;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await restoreDatabase(database.ownerUrl, readFileSync('test/db/fixtures/1.0.0.sql', 'utf8'));
  await growDatabase(database.ownerUrl, reports);
  writer = connect(database.ownerUrl, () => undefined);
}, 600_000);

afterAll(async () => {
  await writer.close();
  await database.drop();
});

test('a grown database is migrated beside a writer, and every write succeeds within the limits of the service', async () => {
  const migration = { ended: false };
  const writing = writeUntil(() => migration.ended);
  const beganAt = performance.now();
  await migrate(database.ownerUrl, { ...migrations, ...kinds }).finally(() => {
    migration.ended = true;
  });
  const tookMs = performance.now() - beganAt;
  const { writes, longestMs } = await writing;
  expect(writes).toBeGreaterThan(0);
  expect(await isMigrated(writer.db)).toBe(true);
  const { rows } = await database.pool.query(
    `select count(*)::int as old from provider_calls where old is null`,
  );
  expect(rows).toEqual([{ old: 0 }]);
  if (given === undefined) return;
  process.stdout.write(
    `${reports} reports: ${Math.round(tookMs)} ms, ${writes} writes, longest ${Math.round(longestMs)} ms\n`,
  );
}, 600_000);

/** A run of 1.0.0, again and again: its report, a stage, calls and its end. @throws at the first failure */
async function writeUntil(isEnded: () => boolean): Promise<{ writes: number; longestMs: number }> {
  let writes = 0;
  let longestMs = 0;
  const write = async (statement: string, values: unknown[]) => {
    const beganAt = performance.now();
    const { rows } = await writer.pool.query(statement, values);
    longestMs = Math.max(longestMs, performance.now() - beganAt);
    writes += 1;
    return rows[0];
  };
  while (!isEnded()) {
    const { id } = await write(
      `insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed, created_at)
       select account_id, event_id, event_title, date '0101-01-01' + $1::int, workflow_id, lane, simulated, 'pending', seed, now()
       from reports where status = 'completed' order by id limit 1 returning id`,
      [writes],
    );
    await write(
      `update reports set status = 'processing', event = '{}', queried_market = 'm' where id = $1`,
      [id],
    );
    await write(
      `insert into stage_results (report_id, stage, model, model_id, answer, attempts, latency_ms, created_at)
       values ($1, 'opinions', 'claude', 'm', '{}', 1, 1, now())`,
      [id],
    );
    await write(
      `insert into provider_calls (report_id, stage, model, model_id, outcome, latency_ms, simulated, called_at)
       values ($1, 'opinions', 'claude', 'm', 'answered', 1, true, now())`,
      [id],
    );
    await write(
      `update reports set status = 'failed', failure_code = 'internal', dropouts = '[]', ended_at = now() where id = $1`,
      [id],
    );
  }
  return { writes, longestMs };
}
