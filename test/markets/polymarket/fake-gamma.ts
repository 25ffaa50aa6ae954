import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach } from '@jest/globals';

/** A local Gamma server with responses from the test. */
export interface FakeGamma {
  readonly baseUrl: string;
  /** Path and query of all requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export type FakeAnswer = (request: FakeRequest, response: ServerResponse) => void;

export interface FakeRequest {
  readonly url: URL;
  /** Starts at 1 and counts the requests of all paths. */
  readonly count: number;
  readonly raw: IncomingMessage;
}

export async function startFakeGamma(answer: FakeAnswer): Promise<FakeGamma> {
  const requests: string[] = [];
  const server = createServer((raw, response) => {
    requests.push(raw.url ?? '');
    answer({ url: new URL(raw.url ?? '/', 'http://gamma.test'), count: requests.length, raw }, response);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The servers that the tests of a file start, one a test. Each is closed after its test. */
export function useFakeGamma() {
  let gamma: FakeGamma | undefined;
  afterEach(async () => {
    await gamma?.close();
    gamma = undefined;
  });
  return {
    /** @returns its address */
    async start(answer: FakeAnswer): Promise<string> {
      gamma = await startFakeGamma(answer);
      return gamma.baseUrl;
    },
    get requests(): readonly string[] {
      return gamma?.requests ?? [];
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

export function sendHtml(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/html', ...headers });
  response.end('<!doctype html><title>secret-page-text</title>');
}
