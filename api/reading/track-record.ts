import type { TrackRecordView } from '../../contract/track-record.js';
import { inSnapshot } from '../../db/database.js';
import { readProof } from '../../db/track-record/proof.js';
import { readRecordHead } from '../../db/track-record/record.js';
import { readCounts, readTrackRecord } from '../../db/track-record/track-record.js';
import { proofText, type RecordProof } from '../../record/figures/record-proof.js';
import { trackRecordBuilder } from '../../record/figures/track-record.js';
import type { ApiContext } from '../context.js';

type Context = Pick<ApiContext, 'db' | 'simulated'>;

/**
 * The public track record. The counts are current, the figures are those of `as_of`. Simulated and live
 * reports have separate figures. Counts and head are of one snapshot, so that anybody can compare the reports that
 * are counted with the entries up to that head.
 */
export async function readTrackRecordView({ db, simulated }: Context): Promise<TrackRecordView> {
  const { counts, stored, record, proved } = await inSnapshot(db, async tx => ({
    counts: await readCounts(tx, simulated),
    stored: await readTrackRecord(tx, simulated),
    record: await readRecordHead(tx),
    proved: await readProof(tx, simulated),
  }));
  const figures = stored ?? trackRecordBuilder().finish(counts, null);
  const { authority } = proved;
  const proof = proved.proof ?? unmeasured(counts.graded);
  const verdict_text = `${figures.verdict_text} ${proofText(authority, proof)}`;
  return { simulated, ...figures, counts, record, proof: { authority, ...proof }, verdict_text };
}

/** Before the first measurement, nothing is proved. */
function unmeasured(graded: number): RecordProof {
  return { graded, stamped_before_outcome: 0, unproven: graded, overdue: 0 };
}
