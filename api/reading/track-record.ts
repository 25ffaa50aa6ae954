import type { TrackRecordView } from '../../contract/track-record.js';
import { readRecordHead } from '../../db/track-record/record.js';
import { readCounts, readTrackRecord } from '../../db/track-record/track-record.js';
import { trackRecordBuilder } from '../../record/figures/track-record.js';
import type { ApiContext } from '../context.js';

type Context = Pick<ApiContext, 'db' | 'simulated'>;

/**
 * The public track record. The counts are current, the figures are those of `as_of`. Simulated and live
 * reports have separate figures. Counts and head are of one snapshot, so that anybody can compare the reports that
 * are counted with the entries up to that head.
 */
export async function readTrackRecordView({ db, simulated }: Context): Promise<TrackRecordView> {
  const { counts, stored, record } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => ({
      counts: await readCounts(tx, simulated),
      stored: await readTrackRecord(tx, simulated),
      record: await readRecordHead(tx),
    }));
  const figures = stored ?? trackRecordBuilder().finish(counts, null);
  return { simulated, ...figures, counts, record };
}
