import type { ChainEntryView, RecordTimestampView } from '../../../contract/record-chain.js';
import { commitment, entryHash, entryVersion } from '../../../db/track-record/entry-hash.js';

/** Two invented entries with their real hashes. The event of the second one is open. */

const payload = '{"record":"record/1","report_id":1,"event_id":"sample-fed-cut-2031","simulated":true}';
const bytes = (value: number) => Buffer.alloc(32, value);

function entry(seq: number, salt: Buffer, previousHash: Buffer, isClosed: boolean): ChainEntryView {
  const createdAt = new Date(Date.UTC(2031, 2, 4 + seq, 12));
  const hashed = { seq, createdAt, simulated: true, previousHash, salt, payload };
  return {
    number: seq,
    version: entryVersion,
    time: createdAt.toISOString(),
    previous_hash: previousHash.toString('hex'),
    hash: entryHash(hashed).toString('hex'),
    simulated: true,
    commitment: commitment(salt, payload).toString('hex'),
    salt: isClosed ? salt.toString('hex') : null,
    payload: isClosed ? payload : null,
  };
}

const first = entry(1, bytes(1), bytes(0), true);
const second = entry(2, bytes(2), Buffer.from(first.hash, 'hex'), false);

export const chainExample = { entries: [first, second] };

export const recordTimestampExample: RecordTimestampView = {
  id: 1,
  number: second.number,
  hash: second.hash,
  time: '2031-03-07T00:00:12.000Z',
  authority: 'https://timestamps.example/tsr',
  token: 'MIIDLwYJKoZIhvcNAQcCoIIDIDCCAxwCAQMxDzANBglghkgBZQMEAgEFADCB',
};
