import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { answersDigest, forecastText, marketDigest } from '../../../db/track-record/record.js';
import { hashedBytes } from '../../../db/track-record/v1/entry-hash.js';
import { conclusion, forecastOf } from './purchases.js';

/**
 * What release 1.0.0 does to a report and its record, statement by statement, while it runs beside this one: it appends
 * the entry of a completion itself, under its exclusive lock, and knows no other kind.
 */
const completionLock = 7_107_002;

export async function completeAs100(db: Db, reportId: number, at: Date): Promise<void> {
  await db.transaction().execute(async tx => {
    await sql`
      with completed as (
        update reports set status = 'completed', conclusion = ${JSON.stringify(conclusion)}, dropouts = '[]', ended_at = ${at}
        where id = ${reportId} and status = 'processing' returning id
      )
      select id, pg_advisory_xact_lock(${completionLock}) from completed`.execute(tx);
    const { rows } = await sql<{ seq: number; hash: Buffer }>`
      select seq, hash from record_entries order by seq desc limit 1`.execute(tx);
    const digests = await tx
      .selectFrom('reports')
      .select([answersDigest.as('answers_sha256'), marketDigest.as('market_sha256')])
      .where('reports.id', '=', reportId)
      .executeTakeFirstOrThrow();
    const entry = {
      seq: (rows[0]?.seq ?? 0) + 1,
      createdAt: at,
      simulated: true,
      previousHash: rows[0]?.hash ?? Buffer.alloc(32),
      salt: randomBytes(32),
      payload: forecastText(forecastOf(reportId), digests),
    };
    const hash = sql`sha256(${hashedBytes(entry)})`;
    await sql`
      insert into record_entries (version, seq, report_id, payload, salt, previous_hash, hash, created_at)
      values (1, ${entry.seq}, ${reportId}, ${entry.payload}, ${entry.salt}, ${entry.previousHash}, ${hash}, ${at})
    `.execute(tx);
  });
}
