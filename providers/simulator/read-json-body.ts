import type { IncomingMessage } from 'node:http';

const bodyMaxBytes = 4 * 1024 * 1024;

/** @throws SyntaxError for a body that is not JSON, RangeError for one of more than 4 MiB. */
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
