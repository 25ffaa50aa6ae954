import { createHash, randomBytes, type X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Timestamp, TimestampFailed, timestampRequest, verifyTimestamp } from './timestamp-token.js';
import { parseCertificates } from './trusted-chain.js';

/** A time-stamp authority (RFC 3161): it signs that data with this hash existed at this time. */
export interface TimestampAuthority {
  readonly url: string;
  /** @throws TimestampFailed */
  stamp(data: Uint8Array): Promise<Timestamp>;
}

export interface TimestampAuthorityOptions {
  readonly url: string;
  /** Its certificates, to which the signer of a token has to lead; null: any signer. */
  readonly trusted?: readonly X509Certificate[] | null;
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
      return verifyTimestamp(body, { data, digest, nonce, trusted: options.trusted ?? null });
    },
  };
}

/**
 * What a live service sets: a public authority that charges nothing, and the certificate that its signers lead to, which is
 * also among the roots of operating systems. Over HTTP, because what it answers is signed.
 */
export const recommendedAuthority = {
  url: 'http://timestamp.digicert.com',
  certificateUrl: 'https://cacerts.digicert.com/DigiCertTrustedRootG4.crt.pem',
} as const;

/**
 * The authority of the settings; null if none is set.
 *
 * @throws Error if the file of TIMESTAMP_CA cannot be read
 */
export function openTimestampAuthority({
  TIMESTAMP_URL: url,
  TIMESTAMP_CA: file,
}: {
  readonly TIMESTAMP_URL?: string | undefined;
  readonly TIMESTAMP_CA?: string | undefined;
}): TimestampAuthority | null {
  if (url === undefined) return null;
  return createTimestampAuthority({
    url,
    randomBytes,
    trusted: file === undefined ? null : readTrusted(file),
  });
}

function readTrusted(file: string): X509Certificate[] {
  try {
    return parseCertificates(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`TIMESTAMP_CA: ${file} cannot be read: ${reason}`, { cause: error });
  }
}

/** Null where nothing is missing. Simulated reports need no proof. */
export function missingAuthorityText({
  TIMESTAMP_URL: url,
  COUNCIL_PROVIDERS: providers,
}: {
  readonly TIMESTAMP_URL?: string | undefined;
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
}): string | null {
  if (url !== undefined || providers === 'simulated') return null;
  return `TIMESTAMP_URL is not set: no authority confirms the dates of the record, which says that it is unproven. A live service sets TIMESTAMP_URL=${recommendedAuthority.url}`;
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
