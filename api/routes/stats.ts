import type { ChainEntryView, RecordTimestampView } from '../../contract/record-chain.js';
import type { trackRecordOperations } from '../../contract/track-record.js';
import { type PublicEntry, readPublicChain } from '../../db/track-record/public-chain.js';
import { listRecordTimestamps, type RecordTimestamp } from '../../db/track-record/record-timestamps.js';
import type { ApiContext } from '../context.js';
import { matchesEtag } from '../http/etag.js';
import { sendPieces } from '../http/send-pieces.js';
import { type Handlers, Shared, sent } from '../http/serve-operations.js';
import { createOpenExports } from '../reading/open-exports.js';
import { readTrackRecordView } from '../reading/track-record.js';
import { createTrackRecordExport } from '../reading/track-record-export.js';

const cacheControl = 'public, max-age=30';
/** For a full page of a list that is only added to, none of whose items can change. */
const finalCacheControl = 'public, max-age=86400, immutable';

type TrackRecordHandlers = Handlers<typeof trackRecordOperations>;

/** The track record, which is public so that anyone can check it. */
export function trackRecordHandlers(context: ApiContext): TrackRecordHandlers {
  const { db, now } = context;
  return {
    getTrackRecord: async () => new Shared(await readTrackRecordView(context), cacheControl),
    exportTrackRecord: exportReports(context),
    listRecordEntries: async ({ query }) => {
      const entries = await readPublicChain(db, { ...query, now: now() });
      const isFinal = entries.length === query.limit && entries.every(entry => entry.isFinal);
      const body = { entries: entries.map(presentChainEntry) };
      return new Shared(body, isFinal ? finalCacheControl : cacheControl);
    },
    listRecordTimestamps: async ({ query }) => {
      const receipts = await listRecordTimestamps(db, query);
      const body = { timestamps: receipts.map(presentRecordTimestamp) };
      return new Shared(body, receipts.length === query.limit ? finalCacheControl : cacheControl);
    },
  };
}

function exportReports(context: ApiContext): TrackRecordHandlers['exportTrackRecord'] {
  const trackRecord = createTrackRecordExport(context);
  const open = createOpenExports();
  return async ({ query: { after, limit = Number.POSITIVE_INFINITY }, request, response }) => {
    const version = await trackRecord.readVersion();
    const tag = `"${version}.${after}.${limit}"`;
    if (matchesEtag(request, tag)) {
      response.set('Cache-Control', cacheControl).set('ETag', `W/${tag}`).status(304).end();
      return sent;
    }
    const leave = open.enter(request.ip ?? '');
    try {
      const chunks = await trackRecord.read(version, { after, limit });
      response.set('Cache-Control', cacheControl).set('ETag', `W/${tag}`).type('application/json');
      await sendPieces(response, chunks, { log: context.log, what: 'an export of the track record' });
    } finally {
      leave();
    }
    return sent;
  };
}

function presentChainEntry(entry: PublicEntry): ChainEntryView {
  return {
    number: entry.seq,
    version: entry.version,
    kind: entry.kind,
    sale: entry.saleSeq,
    time: entry.createdAt.toISOString(),
    opens_by: entry.opensBy?.toISOString() ?? null,
    previous_hash: entry.previousHash.toString('hex'),
    hash: entry.hash.toString('hex'),
    simulated: entry.simulated,
    commitment: entry.commitment.toString('hex'),
    salt: entry.salt?.toString('hex') ?? null,
    payload: entry.payload,
  };
}

function presentRecordTimestamp(receipt: RecordTimestamp): RecordTimestampView {
  return {
    id: receipt.id,
    number: receipt.seq,
    hash: receipt.hash.toString('hex'),
    time: receipt.stampedAt.toISOString(),
    authority: receipt.authority,
    token: receipt.token.toString('base64'),
  };
}
