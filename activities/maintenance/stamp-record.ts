import type { Logger } from 'pino';
import { utcDay } from '../../council/calendar.js';
import type { Db } from '../../db/database.js';
import { entryHash, hashedBytes } from '../../db/track-record/entry-hash.js';
import { readNewestEntry } from '../../db/track-record/record.js';
import { hasRecordTimestamp, saveRecordTimestamp } from '../../db/track-record/record-timestamps.js';
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
 * Has the head of the chain time-stamped, once a UTC day. An entry whose hash does not fit its content is not stamped:
 * a receipt would confirm what was tampered with.
 */
export async function stampRecord(deps: StampDependencies): Promise<StampedRecord> {
  try {
    const result = await stamp(deps);
    if (result.entry !== null) deps.metrics.recordStamped.set(deps.now().getTime() / 1_000);
    return result;
  } catch (err) {
    deps.metrics.recordStampFailures.inc();
    deps.log.error({ err }, 'the head of the record was not time-stamped; the duty tries again');
    throw err;
  }
}

async function stamp({ db, timestampAuthority, now }: StampDependencies): Promise<StampedRecord> {
  if (timestampAuthority === null) return { did: 'not_configured', entry: null };
  const day = utcDay(now());
  if (await hasRecordTimestamp(db, day)) return { did: 'already_stamped', entry: null };
  const head = await readNewestEntry(db);
  if (head === null) return { did: 'chain_empty', entry: null };
  if (!entryHash(head).equals(head.hash)) {
    throw new Error(`entry ${head.seq} of the record does not match its hash; run \`council record verify\``);
  }
  const { token, at } = await timestampAuthority.stamp(hashedBytes(head));
  const isNew = await saveRecordTimestamp(db, day, {
    seq: head.seq,
    hash: head.hash,
    authority: timestampAuthority.url,
    token,
    stampedAt: at,
  });
  return isNew ? { did: 'stamped', entry: head.seq } : { did: 'already_stamped', entry: null };
}
