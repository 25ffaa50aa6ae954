import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { etagOf, matchesEtag } from './etag.js';

/** A file that is the same for everybody and for as long as the process runs. */
export interface PrebuiltFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly content: string | Buffer;
}

/** Sends the file, compressed and hashed once and not for each request, which anybody may send. */
export function sendPrebuilt({ type, cacheControl, content }: PrebuiltFile): RequestHandler {
  const plain = Buffer.from(content);
  const gzip = gzipSync(plain, { level: 9 });
  const etag = etagOf(plain);
  return (request, response) => {
    response.set({ 'Cache-Control': cacheControl, ETag: `W/${etag}` }).vary('Accept-Encoding');
    if (matchesEtag(request, etag)) {
      response.status(304).end();
      return;
    }
    response.type(type);
    if (request.acceptsEncodings('gzip', 'identity') === 'gzip')
      response.set('Content-Encoding', 'gzip').send(gzip);
    else response.send(plain);
  };
}
