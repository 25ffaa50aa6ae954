import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants, mkdir, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { binaryCacheDir, withWorkDirectory } from '../../../platform/embedded/process/binary-cache.js';
import { goInstall } from '../../../platform/embedded/process/go-install.js';
import { closeServer, listen } from '../listen.js';

/** Contains Stripe's OpenAPI document of its day. Update it with the package `stripe`. */
const version = '0.203.0';
const module = `github.com/stripe/stripe-mock@v${version}`;
const longestMs = 10 * 60_000;

const cached = join(binaryCacheDir(process.env), `stripe-mock-v${version}`, 'stripe-mock');

/** Why stripe-mock cannot be used on this machine; null if it is there or can be built. */
export async function whyNoStripeMock(): Promise<string | null> {
  if (await isExecutable(cached)) return null;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = await Promise.all(folders.map(folder => isExecutable(join(folder, 'go'))));
  return found.includes(true) ? null : `Go is not on the PATH and ${cached} does not exist`;
}

/** Builds it once, in about a minute on two cores. @returns its path */
async function findStripeMock(): Promise<string> {
  if (await isExecutable(cached)) return cached;
  return withWorkDirectory(binaryCacheDir(process.env), async directory => {
    const built = await goInstall({ module, directory, env: process.env, longestMs });
    await mkdir(dirname(cached), { recursive: true });
    await rename(built, cached);
    return cached;
  });
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** A request, and what Stripe's own description of its API says to it. */
export interface JudgedRequest {
  /** `POST /v1/customers`. */
  readonly line: string;
  readonly status: number;
  /** Why it was refused; empty if it was accepted. */
  readonly refusal: string;
}

/** stripe-mock, which validates requests and answers with fixtures, behind a proxy that records its verdicts. */
export interface StripeMock {
  readonly url: string;
  /** Oldest first. */
  readonly requests: JudgedRequest[];
  /** Lists that answer a request in place of the fixture, after its validation. By the line of the request. */
  readonly lists: Map<string, readonly object[]>;
  close(): Promise<void>;
}

export async function startStripeMock(): Promise<StripeMock> {
  const { process: mockProcess, address } = await spawnMock(await findStripeMock());
  const requests: JudgedRequest[] = [];
  const lists = new Map<string, readonly object[]>();
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    lists,
    close: async () => {
      const ended = new Promise(resolve => mockProcess.once('exit', resolve));
      mockProcess.kill();
      await ended;
      await closeServer(server);
    },
  };

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = request;
    const line = `${method} ${url.replace(/\?.*/, '')}`;
    const body = await bytesOf(request);
    const answer = await fetch(`http://${address}${url}`, {
      method,
      headers: forwarded(headers),
      ...(body.length === 0 ? {} : { body }),
    });
    const text = await answer.text();
    requests.push({ line, status: answer.status, refusal: answer.ok ? '' : text });
    const data = answer.ok ? lists.get(line) : undefined;
    const shown = data === undefined ? text : JSON.stringify({ object: 'list', data, has_more: false, url });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(shown);
  }
}

/** What stripe-mock looks at. */
function forwarded(headers: IncomingMessage['headers']): Record<string, string> {
  const names = ['authorization', 'content-type', 'stripe-version', 'idempotency-key'];
  return Object.fromEntries(
    names.flatMap(name => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

async function spawnMock(binary: string): Promise<{ process: ChildProcess; address: string }> {
  const anyPort = '127.0.0.1:0';
  const child = spawn(binary, ['-http-addr', anyPort, '-https-addr', anyPort], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`stripe-mock ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', line => {
      const [, found] = /^Listening for HTTP at address: (\S+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { process: child, address };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
