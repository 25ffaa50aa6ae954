import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';

/**
 * Up to where an audit saw every transaction: all transactions before `writtenBefore` had ended when its snapshot was
 * taken, so none of them commits later. A transaction that was still open has a number from `writtenBefore` on and is
 * read by the next audit, however long it takes and whatever ids and times its rows have.
 *
 * Transaction numbers count within one cluster. A dump that is restored into another one keeps those of the old
 * cluster, so a horizon names its cluster and is not used in another.
 */
export interface AuditHorizon {
  /** A transaction number (`xid8`), as text. */
  readonly writtenBefore: string;
  /** PostgreSQL's system identifier. */
  readonly cluster: string;
}

/** The horizon of the snapshot of this transaction. */
export async function horizonOf(tx: Tx): Promise<AuditHorizon> {
  const { rows } = await sql<AuditHorizon>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "writtenBefore",
      system_identifier::text as cluster from pg_control_system()`.execute(tx);
  const [horizon] = rows;
  if (horizon === undefined) throw new Error('the database returned no snapshot');
  return horizon;
}

/** False also if the horizon is ahead of the cluster, which a clone of its files can be behind. */
export function isOfThisCluster(earlier: AuditHorizon, current: AuditHorizon): boolean {
  return (
    earlier.cluster === current.cluster && BigInt(earlier.writtenBefore) <= BigInt(current.writtenBefore)
  );
}

/** Up to where all transactions have ended now. */
export async function readHorizon(db: Db): Promise<AuditHorizon> {
  return db.transaction().execute(horizonOf);
}

/** The last audits without drift. */
export interface LastAudits {
  readonly horizon: AuditHorizon;
  /** When an audit last compared all rows; 1970 if none did since the database was restored. */
  readonly fullyAuditedAt: Date;
  /** When one last failed. */
  readonly fullAuditFailedAt: Date | null;
}

/** Null before the first audit. */
export async function readLastAudits(db: Db): Promise<LastAudits | null> {
  const row = await db
    .selectFrom('audit_horizon')
    .select(['written_before as writtenBefore', 'cluster'])
    .select(['fully_audited_at as fullyAuditedAt', 'full_audit_failed_at as fullAuditFailedAt'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { fullyAuditedAt, fullAuditFailedAt, ...horizon } = row;
  return { horizon, fullyAuditedAt, fullAuditFailedAt };
}

/**
 * Stores an audit that found no drift. One that found drift is not stored: the next audit then reads the same rows
 * again, and reports the drift again until it is settled.
 */
export async function saveAudit(
  db: Db,
  { scope, horizon }: { scope: 'all' | 'changes'; horizon: AuditHorizon },
  now: Date,
): Promise<void> {
  const audited = { written_before: horizon.writtenBefore, cluster: horizon.cluster, audited_at: now };
  const stored = scope === 'all' ? { ...audited, fully_audited_at: now } : audited;
  await db
    .insertInto('audit_horizon')
    .values({ ...audited, fully_audited_at: now })
    .onConflict(conflict => conflict.column('one').doUpdateSet(stored))
    .execute();
}

/**
 * Stores that an audit of all rows did not finish. The next audits compare what is written from the horizon on: without
 * an earlier audit there would otherwise be none at all.
 */
export async function saveFailedFullAudit(
  db: Db,
  { horizon, fullyAuditedAt }: Omit<LastAudits, 'fullAuditFailedAt'>,
  now: Date,
): Promise<void> {
  const stored = {
    written_before: horizon.writtenBefore,
    cluster: horizon.cluster,
    fully_audited_at: fullyAuditedAt,
    full_audit_failed_at: now,
  };
  await db
    .insertInto('audit_horizon')
    .values({ ...stored, audited_at: now })
    .onConflict(conflict => conflict.column('one').doUpdateSet(stored))
    .execute();
}
