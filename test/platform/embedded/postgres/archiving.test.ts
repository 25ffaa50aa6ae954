import { randomUUID } from 'node:crypto';
import { appendFile, chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { auditBooks } from '../../../../db/audit/audit-books.js';
import { type Connections, connect } from '../../../../db/database.js';
import { grantCredits } from '../../../../db/ledger/credit-grants.js';
import { migrate } from '../../../../db/migrate.js';
import {
  type EmbeddedPostgres,
  startPostgres,
} from '../../../../platform/embedded/postgres/start-postgres.js';
import { newAccount } from '../../../db/support/test-world.js';
import { testedBlocks } from '../../../support/expect/tested-blocks.js';
import { inShell } from '../../../support/service/in-shell.js';
import { processTestMs, until } from '../../../support/until.js';
import { processesOn, scratchDirectory } from '../support.js';

/** Runs the commands of docs/operations.md, "Continuous archiving": archive, base backup, SIGKILL, restore. */
const scratch = await scratchDirectory();
const archive = join(scratch, 'archive');
const backup = join(scratch, 'backup');
const blocks = testedBlocks('docs/operations.md', 'archived').map(({ text }) =>
  text.replaceAll('/var/lib/council-archive', archive),
);
const [settings = '', begin = '', copy = '', end = '', restore = '', inRecovery = ''] = blocks;
const homes = { lost: join(scratch, 'lost'), restored: join(scratch, 'restored') };
const opened: { close: () => Promise<unknown> }[] = [];

afterAll(async () => {
  for (const { close } of opened.toReversed()) await close();
});

async function start(home: string): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ home, port: 0, elsewhere: scratch, log: () => undefined });
  opened.push({ close: server.stop });
  return server;
}

/** As the superuser. */
async function administer({ url }: EmbeddedPostgres, home: string): Promise<pg.Client> {
  const { password } = JSON.parse(await readFile(join(home, 'postgres.json'), 'utf8'));
  const admin = Object.assign(new URL(url), { username: 'postgres', password });
  const client = new pg.Client({ connectionString: admin.href });
  client.on('error', () => undefined);
  await client.connect();
  opened.push({ close: () => client.end().catch(() => undefined) });
  return client;
}

function connectTo({ ownerUrl }: EmbeddedPostgres): Connections {
  const connections = connect(ownerUrl, () => undefined);
  opened.push(connections);
  return connections;
}

const shell = async (text: string, env: Record<string, string>) => {
  const told = await inShell(text, { PATH: process.env['PATH'] ?? '', ...env });
  expect(told).toMatchObject({ code: 0, err: '' });
};

test(
  'what was archived before a server was lost is restored, the rest is missing from the end, and the books are right',
  async () => {
    const first = await prepare();
    await migrate(first.ownerUrl);
    const { db } = connectTo(first);
    const admin = await administer(first, homes.lost);
    const accountId = await newAccount(db, 0, true);
    const grant = (credits: number) =>
      grantCredits(db, { accountId, credits, reason: 'test', operationId: randomUUID(), now: new Date() });
    let granted = 0;
    const grantMany = async (count: number) => {
      for (let each = 0; each < count; each++) await grant(++granted);
    };

    await grantMany(10);
    await admin.query(begin);
    await grantMany(10);
    const {
      rows: [place],
    } = await admin.query(`select current_setting('data_directory') as data`);
    await shell(copy, { DATA: place.data, BACKUP: backup });
    const {
      rows: [label],
    } = await admin.query(end);
    await writeFile(join(backup, 'backup_label'), label.labelfile);
    await grantMany(10);
    const {
      rows: [written],
    } = await admin.query('select pg_walfile_name(pg_current_wal_lsn()) as file');
    await until(
      'the log is archived by its timer',
      async () =>
        (await admin.query('select last_archived_wal as file from pg_stat_archiver')).rows[0].file ?? '',
      file => file >= written.file,
    );
    const archived = granted;
    const writing = grantMany(1_000).catch(() => undefined);
    await until('there are later writes', () => granted > archived + 5);
    for (const pid of await processesOn(homes.lost)) process.kill(pid, 'SIGKILL');
    await writing;

    await mkdir(homes.restored);
    await copyFile(join(homes.lost, 'postgres.json'), join(homes.restored, 'postgres.json'));
    await mkdir(join(homes.restored, 'postgres'));
    await chmod(join(homes.restored, 'postgres'), 0o711);
    // An operator is PostgreSQL's user; a test may be root.
    const asOwner = 'chown --reference="$DATA"/PG_VERSION "$DATA"/backup_label "$DATA"/recovery.signal';
    await shell(`${restore}\n${asOwner}`, { DATA: join(homes.restored, 'postgres', 'data'), BACKUP: backup });
    const second = await start(homes.restored);
    const restored = await administer(second, homes.restored);
    await until(
      'the recovery has ended',
      async () => (await restored.query(inRecovery)).rows[0].pg_is_in_recovery,
      still => still === false,
    );
    const found = connectTo(second);
    const { rows: grants } = await found.pool.query(
      `select amount_credits as credits from ledger_entries where amount_credits > 0 order by id`,
    );
    expect(grants.length).toBeGreaterThanOrEqual(archived);
    expect(grants.map(({ credits }) => credits)).toEqual(grants.map((_, index) => index + 1));
    expect(await auditBooks(found.db, new Date())).toMatchObject({ drift: [] });
    expect(blocks).toHaveLength(6);
  },
  processTestMs,
);

/** A server that archives. Its timer has one second instead of sixty. */
async function prepare(): Promise<EmbeddedPostgres> {
  await mkdir(homes.lost);
  await mkdir(archive);
  await chmod(archive, 0o777);
  const fresh = await start(homes.lost);
  const admin = await administer(fresh, homes.lost);
  const {
    rows: [place],
  } = await admin.query(`select current_setting('data_directory') as data`);
  await fresh.stop();
  await appendFile(
    join(place.data, 'postgresql.auto.conf'),
    settings.replace('archive_timeout = 60', 'archive_timeout = 1'),
  );
  return start(homes.lost);
}
