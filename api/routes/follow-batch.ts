import type { Request } from 'express';
import { batchStreamHeader, type batchStreamOperations } from '../../contract/batches/batch-stream.js';
import { findBatch } from '../../db/batches/batches.js';
import type { ApiContext } from '../context.js';
import { setStreamHeaders } from '../http/event-stream.js';
import { parseParameters } from '../http/parse.js';
import { type Handlers, sent } from '../http/serve-operations.js';
import { type BatchPosition, beginning, readPosition } from '../present/batch-position.js';
import { BatchStreams } from '../reading/batch-streams.js';
import type { HeldAnswers } from '../reading/held-answers.js';
import { holdStream } from '../reading/hold-stream.js';
import { batchNotFound, isFinal } from './batch-results.js';

/** The event stream of a batch. */
export function batchStreamHandlers(
  context: ApiContext,
  heldAnswers: HeldAnswers,
): Handlers<typeof batchStreamOperations> {
  const streams = new BatchStreams(context);
  return {
    followBatch: async ({ parameters: { id }, caller: { accountId }, request, response }) => {
      const after = knownBy(request);
      const batch = await findBatch(context.db, { accountId, id });
      if (batch === null) throw batchNotFound();
      if (!isFinal(batch)) await holdStream(context, heldAnswers, { accountId, response });
      setStreamHeaders(response);
      if (request.method === 'HEAD' || response.destroyed) response.end();
      else streams.follow(response, { batchId: id, after });
      return sent;
    },
  };
}

function knownBy(request: Request): BatchPosition {
  const given = { 'Last-Event-ID': request.get('last-event-id') };
  const id = parseParameters(batchStreamHeader, given)['Last-Event-ID'];
  return id === undefined ? beginning : readPosition(id);
}
