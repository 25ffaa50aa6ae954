import { request } from 'node:http';
import { expectConforming } from '../expect/expect-conforming.js';
import type { Answer } from './test-caller.js';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An array is sent in chunks, without a content length. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
  /** Aborted when the caller leaves before the response. */
  readonly signal?: AbortSignal;
}

/**
 * Sends one HTTP request exactly as given, with only the headers that HTTP requires. Checks the response
 * against the OpenAPI document.
 */
export async function send(url: string, sent: Sent = {}): Promise<Answer> {
  // Not with `new URL`, which would normalise the path.
  const [, origin = '', path = '/'] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  const answer = await exchange(origin, path, sent);
  expectConforming({ method: sent.method ?? 'GET', path }, answer);
  return answer;
}

function exchange(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body, signal }: Sent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, path, headers, agent: false, ...(signal === undefined ? {} : { signal }) };
    const outgoing = request(origin, options, response => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response.rawHeaders),
          body: parsed(Buffer.concat(pieces).toString()),
        }),
      );
    });
    outgoing.on('error', reject);
    for (const piece of Array.isArray(body) ? body : []) outgoing.write(piece);
    outgoing.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined);
  });
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  return headers;
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
