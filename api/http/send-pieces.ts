import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import type { Response } from 'express';
import { exportIdleMaxSeconds, exportWithinSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';

/**
 * Sends a long body as it is read, to a caller who takes it within some minutes.
 * @param what what is sent, for the log
 * @throws what the pieces throw before the headers are sent
 */
export async function sendPieces(
  response: Response,
  pieces: AsyncIterable<string>,
  { log, what }: Pick<ApiContext, 'log'> & { readonly what: string },
): Promise<void> {
  try {
    response.setTimeout(exportIdleMaxSeconds * 1_000, () => response.destroy());
    const signal = AbortSignal.timeout(exportWithinSeconds * 1_000);
    await pipeline(Readable.from(pieces), response, { signal });
  } catch (err) {
    // Nothing was sent yet.
    if (!response.headersSent && !response.destroyed) throw err;
    // A caller who leaves is no failure: the line of the request says that it is gone.
    if (!hasLeft(err)) log.warn({ err }, `${what} was interrupted`);
  }
}

function hasLeft(error: unknown): boolean {
  // Not `instanceof Error`: in a `vm` context, errors of streams come from another realm.
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
