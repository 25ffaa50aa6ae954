import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type Answer, expectConforming } from '../expect/expect-conforming.js';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An array is sent in chunks, without a content length. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
  /** Aborted when the caller leaves before the response. */
  readonly signal?: AbortSignal;
  /** For `https:`, a certificate to trust, as PEM. */
  readonly ca?: string;
  /** The answer is a proxy's own, which the OpenAPI document does not describe. */
  readonly isOfProxy?: boolean;
  /** The address of this machine to send from, such as `127.0.0.9`. */
  readonly from?: string;
}

/**
 * Sends one HTTP request exactly as given, with only the headers that HTTP requires. Checks the response
 * against the OpenAPI document.
 */
export async function send(url: string, sent: Sent = {}): Promise<Answer> {
  const answer = await sendUnchecked(url, sent);
  const [, path] = placeOf(url);
  if (sent.isOfProxy !== true) expectConforming({ method: sent.method ?? 'GET', path }, answer);
  return answer;
}

/** Not with `new URL`, which would normalise the path. */
function placeOf(url: string): [origin: string, path: string] {
  const [, origin = '', path = '/'] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  return [origin, path];
}

/** The same without a check of the response. */
export function sendUnchecked(
  url: string,
  { method = 'GET', headers = {}, body, ca, from, signal }: Sent,
): Promise<Answer> {
  const [origin, path] = placeOf(url);
  const request = origin.startsWith('https:') ? requestTls : requestPlain;
  // Otherwise TLS would verify the name in the header `Host`.
  const servername = new URL(origin).hostname;
  const connection = {
    agent: false,
    ca,
    servername,
    ...(from === undefined ? {} : { localAddress: from, family: 4 }),
  };
  return new Promise((resolve, reject) => {
    const options = { method, path, headers, ...connection, ...(signal === undefined ? {} : { signal }) };
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
