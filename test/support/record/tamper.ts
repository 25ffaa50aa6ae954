import { entryHash } from '../../../db/track-record/entry-hash.js';
import type { TestDatabase } from '../service/test-database.js';

const tables = ['record_entries', 'reports'];

/** Changes the record with its triggers disabled, as the owner of the database could. @returns how to undo it */
export async function tamper(
  { pool }: Pick<TestDatabase, 'pool'>,
  statements: string,
  { isRehashed = false } = {},
): Promise<() => Promise<void>> {
  const run = async (text: string) => {
    for (const table of tables) await pool.query(`alter table ${table} disable trigger user`);
    await pool.query(text);
    for (const table of tables) await pool.query(`alter table ${table} enable trigger user`);
  };
  await pool.query('alter table record_timestamps drop constraint record_timestamps_seq_fkey');
  await pool.query('create table kept_entries as select * from record_entries');
  await pool.query('create table kept_reports as select id, simulated from reports');
  await run(statements);
  if (isRehashed) await run(await rehash(pool));
  return () =>
    run(`
      delete from record_entries;
      insert into record_entries select * from kept_entries;
      update reports set simulated = kept.simulated from kept_reports as kept where kept.id = reports.id;
      delete from reports where id not in (select id from kept_reports);
      drop table kept_entries, kept_reports;
      alter table record_timestamps add foreign key (seq) references record_entries (seq)`);
}

/** The statements that chain all entries again with right hashes, as someone would who rewrites history with care. */
async function rehash(pool: TestDatabase['pool']): Promise<string> {
  const { rows } = await pool.query(
    `select version, seq, kind, sale_seq as "saleSeq", entry.created_at as "createdAt", opens_by as "opensBy", salt,
       payload, simulated
     from record_entries as entry join reports on reports.id = report_id order by seq`,
  );
  let previousHash: Buffer = Buffer.alloc(32);
  const values = rows.map(row => {
    const hash = entryHash({ ...row, previousHash });
    const value = `(${row.seq}, '\\x${previousHash.toString('hex')}'::bytea, '\\x${hash.toString('hex')}'::bytea)`;
    previousHash = hash;
    return value;
  });
  // Moved away first: an entry may have the hash that another one had before.
  return `
    update record_entries set hash = sha256(hash || 'x'), previous_hash = sha256(previous_hash || 'x');
    update record_entries as entry set previous_hash = right_one.previous, hash = right_one.hash
    from (values ${values.join(', ')}) as right_one (seq, previous, hash) where right_one.seq = entry.seq`;
}
