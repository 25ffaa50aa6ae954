import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createWebhookSender } from '../../../platform/webhooks/send-webhook.js';
import { listen } from '../../support/listen.js';
import { until } from '../../support/until.js';
import { type Receiver, startReceiver } from './receiver.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const send = createWebhookSender({ policy: 'any' });
const body = JSON.stringify({ type: 'webhook.test', timestamp: '2026-11-26T00:00:00Z', data: { text: 'ä' } });
const to = ({ port }: { readonly port: number }, path = '/hook') => ({
  url: `http://127.0.0.1:${port}${path}`,
  headers: { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,abc' },
  body,
});

async function receiver(...of: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...of);
  closing.push(started.close);
  return started;
}

/** A server that answers each connection with these bytes, and then goes on or closes. */
async function rawServer(
  answer: string,
  ends = false,
): Promise<{ readonly port: number; readonly open: () => number }> {
  let open = 0;
  const server = createServer(socket => {
    open += 1;
    socket.on('close', () => (open -= 1)).on('error', () => undefined);
    socket.once('data', () => (ends ? socket.end(answer) : socket.write(answer)));
  });
  closing.push(() => server.close());
  return { port: await listen(server), open: () => open };
}

describe('a webhook', () => {
  test('arrives as it was signed, without cookies, on a connection of its own', async () => {
    const hook = await receiver((_, response) => response.writeHead(204, { 'set-cookie': 'a=1' }).end());
    for (const _ of [1, 2]) {
      expect(await send(to(hook))).toEqual({
        kind: 'answered',
        status: 204,
        retryAfterSeconds: null,
        excerpt: '',
      });
    }
    expect(hook.connections()).toBe(2);
    expect(hook.received).toHaveLength(2);
    for (const { method, path, headers, body: arrived } of hook.received) {
      expect([method, path, arrived]).toEqual(['POST', '/hook', body]);
      expect(headers).toEqual({
        host: `127.0.0.1:${hook.port}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'council-report-service',
        'webhook-id': 'msg_1',
        'webhook-signature': 'v1,abc',
        connection: 'close',
      });
    }
  });

  test('follows no redirect', async () => {
    const target = await receiver((_, response) => response.end());
    const hook = await receiver((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    expect(await send(to(hook))).toMatchObject({ kind: 'answered', status: 307 });
    expect(target.connections()).toBe(0);
  });

  test('obeys no proxy variable', async () => {
    const proxy = await receiver((_, response) => response.end('from the proxy'));
    const hook = await receiver((_, response) => response.end('from the receiver'));
    const names = [
      'HTTP_PROXY',
      'http_proxy',
      'HTTPS_PROXY',
      'https_proxy',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ];
    const before = names.map(name => process.env[name]);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await send(to(hook))).toMatchObject({ excerpt: 'from the receiver' });
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(proxy.connections()).toBe(0);
  });

  test('tries the next address of a name if one cannot be reached', async () => {
    const hook = await receiver((_, response) => response.end());
    const resolved: string[] = [];
    const sendTo = createWebhookSender({
      policy: 'any',
      resolve: async name => {
        resolved.push(name);
        return ['127.0.0.2', '127.0.0.1'];
      },
    });
    const url = `http://hooks.example.com:${hook.port}/`;
    expect(await sendTo({ ...to(hook), url })).toMatchObject({ kind: 'answered', status: 200 });
    expect(resolved).toEqual(['hooks.example.com']);
    expect(hook.received[0]?.headers.host).toBe(`hooks.example.com:${hook.port}`);
  });
});

describe('of an answer', () => {
  test('at most 200 bytes are read, also of a body without an end, and the connection is closed', async () => {
    const server = await rawServer(`HTTP/1.1 500 Oh\r\ncontent-length: 99999999\r\n\r\n${'ä'.repeat(5_000)}`);
    const result = await send(to(server));
    expect(result).toEqual({
      kind: 'answered',
      status: 500,
      retryAfterSeconds: null,
      excerpt: 'ä'.repeat(100),
    });
    await until('the connection is closed', () => server.open() === 0);
  });

  test('the status counts if the body pauses or breaks off', async () => {
    const head = 'HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\n';
    for (const ends of [false, true]) {
      const server = await rawServer(`${head}half of`, ends);
      expect(await send(to(server))).toMatchObject({ kind: 'answered', status: 202, excerpt: 'half of' });
    }
  });

  test('the text has no characters that a terminal obeys, nor halves of characters', async () => {
    const text = Buffer.concat([
      Buffer.from('\u001b[31mred\u0000\r\n\u202eline \u2028two\t'),
      Buffer.from([0xe2, 0x82]),
    ]);
    const hook = await receiver((_, response) => response.end(text));
    expect(await send(to(hook))).toMatchObject({ excerpt: '[31mred line two' });
  });

  test.each([
    ['120', 120],
    ['0.5', 1],
    ['0', 0],
    ['864000', 86_400],
    ['soon', null],
    ['-5', null],
  ])('Retry-After: %s asks for %s seconds', async (value, seconds) => {
    const hook = await receiver((_, response) => response.writeHead(503, { 'retry-after': value }).end());
    expect(await send(to(hook))).toMatchObject({ status: 503, retryAfterSeconds: seconds });
  });
});

describe('a try fails', () => {
  test.each([
    ['that says nothing', '', 'No answer came in time.'],
    ['whose headers do not end', 'HTTP/1.1 200 OK\r\na: b\r\n', 'No answer came in time.'],
    ['that only says to go on', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9), 'No answer came in time.'],
    ['that does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'The answer was not valid HTTP.'],
    [
      'whose headers are too long',
      `HTTP/1.1 200 OK\r\na: ${'b'.repeat(9_000)}\r\n\r\n`,
      'The headers of the answer are too long.',
    ],
  ])('at a server %s', async (_, answer, reason) => {
    const server = await rawServer(answer);
    const impatient = createWebhookSender({ policy: 'any', timeoutMs: 500 });
    expect(await impatient(to(server))).toEqual({ kind: 'failed', reason });
    await until('the connection is closed', () => server.open() === 0);
  });

  test('at a server that changes the protocol, or closes without an answer', async () => {
    const reason = 'The connection broke off before an answer.';
    expect(await send(to(await rawServer('', true)))).toEqual({ kind: 'failed', reason });
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    expect(await send(to(await rawServer(upgrade)))).toEqual({ kind: 'failed', reason });
  });

  test('if the connection is refused, or the caller stops it', async () => {
    const gone = await startReceiver(() => undefined);
    await gone.close();
    expect(await send(to(gone))).toEqual({ kind: 'failed', reason: 'The host refused the connection.' });
    const hook = await receiver(() => undefined);
    const stop = new AbortController();
    const stopped = send({ ...to(hook), signal: stop.signal });
    await until('the request has arrived', () => hook.received.length === 1);
    stop.abort();
    expect(await stopped).toEqual({ kind: 'failed', reason: 'The try was stopped before an answer.' });
  });

  test('if the resolver hangs, finds nothing, or is refused', async () => {
    const failing = (syscall: string, code: string) => async () => {
      throw Object.assign(new Error('secret of the network'), { syscall, code });
    };
    const tries = [
      [() => new Promise<never>(() => undefined), 'No answer came in time.'],
      [async () => [], 'The name of the host does not resolve.'],
      [failing('queryA', 'ENOTFOUND'), 'The name of the host does not resolve.'],
      [failing('queryA', 'ECONNREFUSED'), 'The name servers of the host do not answer.'],
      [failing('getaddrinfo', 'EAI_AGAIN'), 'The name servers of the host do not answer.'],
      [failing('other', 'EODD'), 'The request failed (EODD).'],
    ] as const;
    for (const [resolve, reason] of tries) {
      const sendTo = createWebhookSender({ policy: 'any', resolve, timeoutMs: 200 });
      expect(await sendTo({ ...to({ port: 9 }), url: 'http://hooks.example.com/' })).toEqual({
        kind: 'failed',
        reason,
      });
    }
  });
});
