import type { ChainEntryView, RecordTimestampView } from '../../contract/record-chain.js';
import type { PublicEntry } from '../../db/track-record/public-chain.js';
import type { RecordTimestamp } from '../../db/track-record/record-timestamps.js';

export function presentChainEntry(entry: PublicEntry): ChainEntryView {
  return {
    number: entry.seq,
    version: entry.version,
    time: entry.createdAt.toISOString(),
    previous_hash: entry.previousHash.toString('hex'),
    hash: entry.hash.toString('hex'),
    simulated: entry.simulated,
    commitment: entry.commitment.toString('hex'),
    salt: entry.salt?.toString('hex') ?? null,
    payload: entry.payload,
  };
}

export function presentRecordTimestamp(receipt: RecordTimestamp): RecordTimestampView {
  return {
    id: receipt.id,
    number: receipt.seq,
    hash: receipt.hash.toString('hex'),
    time: receipt.stampedAt.toISOString(),
    authority: receipt.authority,
    token: receipt.token.toString('base64'),
  };
}
