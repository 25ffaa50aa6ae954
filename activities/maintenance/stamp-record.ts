import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { hashedBytes } from '../../db/track-record/entry-hash.js';
import {
  findNewestTimestamp,
  readHeadToConfirm,
  saveRecordTimestamp,
} from '../../db/track-record/record-timestamps.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { TimestampAuthority } from '../../platform/timestamps/timestamp-authority.js';

export interface StampDependencies {
  readonly db: Db;
  /** Null if no authority is configured: nothing is time-stamped. */
  readonly timestampAuthority: TimestampAuthority | null;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface StampedRecord {
  /** Why nothing was stamped; `stamped` if it was. */
  readonly did: 'stamped' | 'already_stamped' | 'chain_empty' | 'not_configured';
  /** Number of the entry that was stamped; null if none was. */
  readonly entry: number | null;
}

/**
 * With the interval of the duty, every hour has a receipt also while nothing is sold: nobody can insert an entry there
 * later.
 */
const unchangedHeadMinutes = 50;

/**
 * Has the head of the chain time-stamped if there are new entries, and about once an hour if there are none.
 */
export async function stampRecord(deps: StampDependencies): Promise<StampedRecord> {
  try {
    return await stamp(deps);
  } catch (err) {
    deps.metrics.recordStampFailures.inc();
    deps.log.error({ err }, 'the head of the record was not time-stamped; the duty tries again');
    throw err;
  }
}

async function stamp({ db, timestampAuthority, metrics, now }: StampDependencies): Promise<StampedRecord> {
  if (timestampAuthority === null) return { did: 'not_configured', entry: null };
  const head = await readHeadToConfirm(db);
  if (head === null) return { did: 'chain_empty', entry: null };
  const newest = await findNewestTimestamp(db);
  const setNewest = (stampedAt: Date) => metrics.recordStamped.set(stampedAt.getTime() / 1_000);
  if (newest !== null) setNewest(newest.stampedAt);
  const minutes = newest === null ? Infinity : (now().getTime() - newest.stampedAt.getTime()) / 60_000;
  if (head.seq === newest?.seq && minutes < unchangedHeadMinutes) {
    return { did: 'already_stamped', entry: null };
  }
  const { token, at } = await timestampAuthority.stamp(hashedBytes(head));
  await saveRecordTimestamp(db, {
    seq: head.seq,
    hash: head.hash,
    authority: timestampAuthority.url,
    token,
    stampedAt: at,
  });
  setNewest(at);
  return { did: 'stamped', entry: head.seq };
}
