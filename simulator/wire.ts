import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from './dialects/dialect.js';

const bodyMaxBytes = 4 * 1024 * 1024;

/** @throws SyntaxError if the body is not JSON, RangeError if it is larger than 4 MiB. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > bodyMaxBytes) throw new RangeError('body too large');
    chunks.push(buffer);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Sends `body` as JSON and ends the response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Reads the API key from the vendor's header; null if there is none. Any key is valid. */
export function readKey({ keyHeader }: Dialect, request: IncomingMessage): string | null {
  const header = request.headers[keyHeader];
  const key = typeof header === 'string' ? header.replace(/^Bearer\s*/i, '') : '';
  return key === '' ? null : key;
}
