import type { Request, Response } from 'express';
import {
  type BatchManifestView,
  type batchResultOperations,
  type ResultsFileView,
  type ResultsFormat,
} from '../../contract/batches/batch-results.js';
import { findBatch, type StoredBatch } from '../../db/batches/batches.js';
import { type ResultsSummary, readResultsSummary } from '../../db/batches/result-rows.js';
import type { ApiContext } from '../context.js';
import { matchesEtag } from '../http/etag.js';
import { Problem } from '../http/problem.js';
import { sendPieces } from '../http/send-pieces.js';
import { type Handlers, sent } from '../http/serve-operations.js';
import {
  type BatchExports,
  createBatchExports,
  type FileDigest,
  withDigest,
} from '../reading/batch-exports.js';
import { createOpenExports } from '../reading/open-exports.js';

type ResultHandlers = Handlers<typeof batchResultOperations>;

/** The results of a batch as files, and what to cite of them. */
export function batchResultHandlers(context: ApiContext): ResultHandlers {
  const exports = createBatchExports(context);
  const open = createOpenExports();
  const batchOf = async (accountId: string, id: string) => {
    const batch = await findBatch(context.db, { accountId, id });
    if (batch === null) throw batchNotFound();
    return batch;
  };
  return {
    getBatchResults: async ({ parameters: { id }, query: { format }, caller, request, response }) => {
      const batch = await batchOf(caller.accountId, id);
      const leave = open.enter(request.ip ?? '');
      try {
        await sendResults({ ...context, exports }, { batch, format, request, response });
      } finally {
        leave();
      }
      return sent;
    },
    getBatchManifest: async ({ parameters: { id }, caller }) => {
      const batch = await batchOf(caller.accountId, id);
      if (!isFinal(batch) || batch.endedAt === null)
        throw new Problem(
          'not_found',
          'The batch has no manifest before it has ended and none of its rows runs.',
        );
      await exports.seal(batch);
      const summary = await readResultsSummary(context.db, id);
      return presentManifest({ ...batch, endedAt: batch.endedAt }, summary, {
        ndjson: fileView(await exports.digest(batch, 'ndjson')),
        csv: fileView(await exports.digest(batch, 'csv')),
        forecastbench: fileView(await exports.digest(batch, 'forecastbench')),
      });
    },
  };
}

/** Like a batch that does not exist. */
export function batchNotFound(): Problem {
  return new Problem('not_found', 'There is no batch with this id.');
}

/** Whether nothing happens to its rows any more, unless they are tried again. */
export function isFinal({ endedAt, rows }: StoredBatch): boolean {
  return endedAt !== null && rows.running === 0;
}

interface Download {
  readonly batch: StoredBatch;
  readonly format: ResultsFormat;
  readonly request: Request;
  readonly response: Response;
}

async function sendResults(
  { exports, log }: Pick<ApiContext, 'log'> & { readonly exports: BatchExports },
  { batch, format, request, response }: Download,
): Promise<void> {
  const digest = isFinal(batch) ? await finalDigest(exports, batch, format) : null;
  if (digest !== null) {
    const etag = `"${digest.sha256.toString('base64url')}"`;
    setDigests(response, etag, digest);
    if (matchesEtag(request, etag)) {
      response.status(304).end();
      return;
    }
  }
  const { type, extension, pieces } = await exports.open(batch, format);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', `attachment; filename="batch-${batch.id}.${extension}"`);
  if (digest !== null) response.setHeader('Content-Length', digest.bytes);
  if (request.method === 'HEAD') response.end();
  else {
    const checked = digest === null ? pieces : withDigest(pieces, digest);
    await sendPieces(response, checked, { log, what: 'the results of a batch' });
  }
}

async function finalDigest(
  exports: BatchExports,
  batch: StoredBatch,
  format: ResultsFormat,
): Promise<FileDigest> {
  await exports.seal(batch);
  return exports.digest(batch, format);
}

function setDigests(response: Response, etag: string, { sha256 }: FileDigest): void {
  const base64 = sha256.toString('base64');
  response.setHeader('ETag', etag);
  response.setHeader('Digest', `sha-256=${base64}`);
  response.setHeader('Repr-Digest', `sha-256=:${base64}:`);
}

function fileView({ sha256, bytes }: FileDigest): ResultsFileView {
  return { sha256: sha256.toString('hex'), bytes };
}

function presentManifest(
  { id, name, createdAt, endedAt, rows }: StoredBatch & { readonly endedAt: Date },
  { simulated, methods, weights, models, firstSeq, lastSeq, lastHash }: ResultsSummary,
  results: BatchManifestView['results'],
): BatchManifestView {
  const { total, waiting, completed, failed, refused } = rows;
  return {
    batch_id: id,
    name,
    created_at: createdAt.toISOString(),
    ended_at: endedAt.toISOString(),
    simulated,
    rows: { total, waiting, completed, failed, refused },
    methods,
    estimate_weights: weights,
    models,
    results,
    record:
      firstSeq === null || lastSeq === null || lastHash === null
        ? null
        : { first_seq: firstSeq, last_seq: lastSeq, head: lastHash.toString('hex') },
  };
}
