import { connect } from 'node:net';
import { connect as secure } from 'node:tls';
import { expect, test } from '@jest/globals';
import { requestWithinSeconds } from '../../purchase/limits.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { describeBehindProxy } from '../support/public/describe-behind-proxy.js';
import { statedAddressHeader } from '../support/public/nginx.js';
import type { PublicService } from '../support/public/public-service.js';
import { parseAnswers } from '../support/service/send-raw.js';
import { until } from '../support/until.js';

/** As many as nginx has connections without a setting of its own. */
const connections = 1_020;

describeBehindProxy('one address that holds connections of the proxy', service => {
  test('by sending a body a byte at a time is refused most of them, loses the others, and everybody else is served', async () => {
    const attacker = '127.3.0.1';
    const held = await open(service(), attacker, connections, slowBody);
    const dripping = setInterval(() => {
      for (const each of held) each.drip();
    }, 1_000);
    try {
      const from = '127.3.0.2';
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => service().send('/api/credits/pricing', { from })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const answered = (status: number) => held.filter(each => each.status() === status).length;
      await until('most are refused', () => answered(429) >= connections - 100);
      expectRefusal(held.find(each => each.status() === 429)?.text());
      await until(`the others are ended after ${requestWithinSeconds} seconds`, () =>
        held.every(each => each.status() !== null),
      );
      expect(answered(408)).toBe(connections - answered(429));
    } finally {
      clearInterval(dripping);
      for (const each of held) each.close();
    }
  });

  test('by sending headers a byte at a time leaves connections for everybody else', async () => {
    const line = 'GET /api/credits/pricing HTTP/1.1\r\n';
    // One after the other: where connections are short, nginx drops those that are just being opened.
    const held = await open(service(), '127.3.0.3', connections + 100, line, 1);
    try {
      const answer = await service().send('/api/credits/pricing', { from: '127.3.0.4' });
      expect(answer.status).toBe(200);
    } finally {
      for (const each of held) each.close();
    }
  });

  test.each([
    ['network', 100, (index: number) => `2001:db8::${index.toString(16)}:0:b:c:d`],
    ['site', 400, (index: number) => `2001:db8:1:${(index << 8).toString(16)}::1`],
  ])('with the addresses of an IPv6 %s has %i of them', async (_what, limit, addressOf) => {
    const surplus = 20;
    const held: Held[] = [];
    try {
      for (let index = 0; index < limit + surplus; index += 1) {
        const stated = `${statedAddressHeader}: ${addressOf(index % 256)}\r\n`;
        held.push(...(await open(service(), '127.9.0.1', 1, slowBody.replace('\r\n', `\r\n${stated}`))));
      }
      const refused = () => held.filter(each => each.status() === 429);
      await until('the surplus is refused', () => refused().length >= surplus);
      expect(refused()).toHaveLength(surplus);
      expectRefusal(refused()[0]?.text());
    } finally {
      for (const each of held) each.close();
    }
  });

  test('gets a problem document for a request without TLS', async () => {
    const plain = service().url.replace('https:', 'http:');
    expectProblem(await service().send(plain, { isOfProxy: true }), 'invalid_request');
  });

  test.each([
    ['GET /%00'],
    ['GET /..%2f'],
    ['CONNECT /a-secret-path'],
    ['TRACE /a-secret-path'],
    ['GET /a-secret-path%zz'],
    ['GET /-/not_found'],
    ['GET /-/other'],
    ['POST /a-secret-path', 'Content-Length: 999999\r\n\r\n'],
    ['POST /a-secret-path', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('gets a problem document for %s, and nothing of it is logged', async (line, rest = '\r\n') => {
    const from = '127.3.0.5';
    const [held] = await open(service(), from, 1, `${line} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
    await until('it is answered', () => held?.status() !== null);
    const [answer] = parseAnswers(Buffer.from(held?.text() ?? ''));
    expect(String(answer?.status)).toMatch(/^4\d\d$/);
    expect(answer?.headers.get('content-type')).toMatch(/^application\/problem\+json/i);
    expect(answer?.body).toMatchObject({
      status: answer?.status,
      code: expect.stringMatching(/^(invalid_request|method_not_allowed|not_found|payload_too_large)$/),
    });
    held?.close();
    expect(await service().proxyLog()).not.toMatch(/127\.3\.0\.5|a-secret-path|%00|%2f/);
  });
});

const slowBody =
  'POST /api/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n';

/** A connection on which an attacker sends as little as possible. */
interface Held {
  drip(): void;
  /** Of the answer; null while there is none. */
  status(): number | null;
  /** Everything that was received. */
  text(): string;
  close(): void;
}

/** @param atOnce for the queue in which the kernel keeps connections that are not accepted yet */
async function open(
  service: PublicService,
  from: string,
  count: number,
  bytes: string,
  atOnce = 60,
): Promise<Held[]> {
  const held: Held[] = [];
  while (held.length < count) {
    const step = Array.from({ length: Math.min(atOnce, count - held.length) }, () =>
      hold(service, from, bytes),
    );
    held.push(...(await Promise.all(step)));
  }
  return held;
}

function hold({ url, certificate }: PublicService, from: string, bytes: string): Promise<Held> {
  return new Promise(resolve => {
    let text = '';
    const { port } = new URL(url);
    const tcp = connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
    const socket = secure({ socket: tcp, servername: 'localhost', ca: certificate.pem });
    const opened: Held = {
      drip: () => {
        if (socket.writable) socket.write('x');
      },
      status: () => (text === '' ? null : Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 nnn'.length))),
      text: () => text,
      close: () => socket.destroy(),
    };
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    // A connection that the proxy does not take is lost to the attacker, and no fault of the test.
    socket.on('error', () => resolve(opened));
    socket.once('secureConnect', () => socket.write(bytes, () => resolve(opened)));
  });
}

function expectRefusal(text = ''): void {
  const [answer] = parseAnswers(Buffer.from(text));
  if (answer === undefined) throw new Error('there is no answer');
  expectProblem(answer, 'rate_limited');
}
