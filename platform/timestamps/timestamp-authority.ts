import { createHash } from 'node:crypto';
import { type Timestamp, TimestampFailed, timestampRequest, verifyTimestamp } from './timestamp-token.js';

/** A time-stamp authority (RFC 3161): it signs that data with this hash existed at this time. */
export interface TimestampAuthority {
  readonly url: string;
  /** @throws TimestampFailed */
  stamp(data: Uint8Array): Promise<Timestamp>;
}

export interface TimestampAuthorityOptions {
  readonly url: string;
  readonly randomBytes: (count: number) => Buffer;
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;
const nonceBytes = 16;
/** A token with all its certificates has a few kilobytes. */
const responseMaxBytes = 64 * 1024;

/** An authority that is asked over HTTP, one request a stamp. The token is verified before it is returned. */
export function createTimestampAuthority(options: TimestampAuthorityOptions): TimestampAuthority {
  return {
    url: options.url,
    stamp: async data => {
      const digest = createHash('sha256').update(data).digest();
      const nonce = options.randomBytes(nonceBytes);
      const body = await send(options, timestampRequest(digest, nonce));
      return verifyTimestamp(body, { data, digest, nonce });
    },
  };
}

async function send(
  { url, timeoutMs = defaultTimeoutMs }: TimestampAuthorityOptions,
  body: Uint8Array<ArrayBuffer>,
): Promise<Buffer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new TimestampFailed('unreachable', `it answers with status ${response.status}`);
    return await readBody(response);
  } catch (error) {
    if (error instanceof TimestampFailed) throw error;
    throw new TimestampFailed('unreachable', error instanceof Error ? error.message : String(error));
  }
}

async function readBody(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > responseMaxBytes) throw new TimestampFailed('invalid', 'its answer is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
