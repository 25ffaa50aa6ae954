import { type IncomingMessage, request } from 'node:http';
import type { Answer } from './test-caller.js';

/** Other systems than Linux have one loopback address by default. */
export const hasManyAddresses = process.platform === 'linux';

/** An address of this machine, another one for each number below 2^24. */
export function localAddress(number: number): string {
  return `127.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Sends a request from one of this machine's addresses, on a connection of its own. */
export function sendFrom(
  address: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...json, ...headers },
        localAddress: address,
        agent: false,
      },
      response => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(
              Object.entries(response.headers).flatMap(([name, value]) =>
                [value].flat().map((each): [string, string] => [name, String(each)]),
              ),
            ),
            body: isJson(response) ? JSON.parse(text) : text === '' ? null : text,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/(?:[a-z.-]+\+)?json/.test(headers['content-type'] ?? '');
}
