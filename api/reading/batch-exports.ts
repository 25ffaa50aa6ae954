import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ResultsFormat } from '../../contract/batches/batch-results.js';
import type { StoredBatch } from '../../db/batches/batches.js';
import { findUnsealedRow, readResultRows, readResultsSummary } from '../../db/batches/result-rows.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { type ResultsFile, resultsFileOf } from '../present/batch-files.js';
import { createRecordEntries } from './record-entries.js';

/** The results of batches as files, read in pages. */
export interface BatchExports {
  /**
   * Has every entry sealed that ends a report of the batch. Without it, `record_seq` of a row would change.
   * @throws Problem `unavailable`
   */
  seal(batch: StoredBatch): Promise<void>;
  open(batch: StoredBatch, format: ResultsFormat): Promise<OpenedFile>;
  /** Hash and length of a file whose rows do not change any more. Read once a process, and again after a while. */
  digest(batch: StoredBatch, format: ResultsFormat): Promise<FileDigest>;
}

export interface OpenedFile extends Pick<ResultsFile, 'type' | 'extension'> {
  readonly pieces: AsyncIterable<string>;
}

export interface FileDigest {
  readonly sha256: Buffer;
  readonly bytes: number;
}

const rowsPerPage = 25;
/** A digest is some 200 bytes. */
const digestsKeptMax = 5_000;
/** The record is sealed about once a second. */
const retryAfterSeconds = 2;

export function createBatchExports(context: Pick<ApiContext, 'db' | 'now'>): BatchExports {
  const { db } = context;
  const readRecordEntry = createRecordEntries(context);
  const digests = new LRUCache<string, FileDigest>({ max: digestsKeptMax });

  async function open(batch: StoredBatch, format: ResultsFormat): Promise<OpenedFile> {
    const file = resultsFileOf(format, batch, await readResultsSummary(db, batch.id));
    return { ...file, pieces: piecesOf(context, batch.id, file) };
  }

  return {
    seal: async ({ id }) => {
      const unsealed = await findUnsealedRow(db, id);
      if (unsealed === null) return;
      // Seals all that waits, not this report alone.
      await readRecordEntry(unsealed);
      if ((await findUnsealedRow(db, id)) === null) return;
      const detail = 'The record of these reports is not sealed yet.';
      throw new Problem('unavailable', detail, { retryAfterSeconds });
    },
    open,
    digest: async (batch, format) => {
      // A batch whose rows are tried again ends again.
      const key = `${batch.id} ${batch.endedAt?.getTime()} ${format}`;
      const known = digests.get(key);
      if (known !== undefined) return known;
      const { pieces } = await open(batch, format);
      const digest = await digestOf(pieces);
      digests.set(key, digest);
      return digest;
    },
  };
}

async function digestOf(pieces: AsyncIterable<string>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += Buffer.byteLength(piece);
  }
  return { sha256: hash.digest(), bytes };
}

/** Passes the pieces on. @throws Error before the last one if they are not those of the digest */
export async function* withDigest(
  pieces: AsyncIterable<string>,
  { sha256 }: FileDigest,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let held = '';
  for await (const piece of pieces) {
    if (held !== '') yield held;
    hash.update(piece);
    held = piece;
  }
  if (!hash.digest().equals(sha256)) throw new Error('the batch was tried again while it was read');
  yield held;
}

async function* piecesOf(
  { db }: Pick<ApiContext, 'db'>,
  batchId: string,
  { start, row: textOf, end }: ResultsFile,
): AsyncGenerator<string> {
  if (start !== '') yield start;
  let isFirst = true;
  for (let after = 0; ; ) {
    const rows = await readResultRows(db, batchId, { after, limit: rowsPerPage });
    for (const row of rows) {
      const text = textOf(row, isFirst);
      if (text === '') continue;
      isFirst = false;
      yield text;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) break;
    after = last.position;
  }
  if (end !== '') yield end;
}
