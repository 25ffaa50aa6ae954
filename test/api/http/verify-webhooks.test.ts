import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

/** What docs/using-the-api.md gives receivers of webhooks to verify them with. */

const guide = readFileSync('docs/using-the-api.md', 'utf8');
const section = guide.slice(guide.indexOf('## Webhooks'));
const snippet = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1] ?? '';

interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  /** When it arrives, in Unix seconds. */
  readonly at: number;
}

/** The example of the specification of Standard Webhooks 1.0. */
const published: Delivery = {
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  at: 1_614_265_330,
};
const { 'webhook-signature': signature = '' } = published.headers;
const withSignature = (value: string): Delivery => ({
  ...published,
  headers: { ...published.headers, 'webhook-signature': value },
});
const { 'webhook-signature': _signature, ...unsigned } = published.headers;
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ofOther = `v1,${createHmac('sha256', Buffer.alloc(32, 7)).update('x').digest('base64')}`;

const accepted: [what: string, Delivery][] = [
  ['the published example', published],
  ['one signed by two secrets, the new one first', withSignature(`${ofOther} ${signature}`)],
  ['one signed by two secrets, the new one last', withSignature(`${signature} ${ofOther}`)],
  ['one that took five minutes', { ...published, at: published.at + 300 }],
  ['one of a clock that is five minutes ahead', { ...published, at: published.at - 300 }],
];
const refused: [what: string, Delivery][] = [
  ['another body', { ...published, body: '{"test": 2432232315}' }],
  ['another secret', { ...published, secret: otherSecret }],
  ['another id', { ...published, headers: { ...published.headers, 'webhook-id': 'msg_2' } }],
  ['another time', { ...published, headers: { ...published.headers, 'webhook-timestamp': '1614265331' } }],
  ['an old one', { ...published, at: published.at + 302 }],
  ['one from the future', { ...published, at: published.at - 302 }],
  ['no signature', { ...published, headers: unsigned }],
  ['an empty signature', withSignature('')],
  ['half a signature', withSignature(signature.slice(0, 20))],
  ['another scheme', withSignature(signature.replace('v1,', 'v2,'))],
  ['no headers', { ...published, headers: {} }],
];

const folder = mkdtempSync(join(tmpdir(), 'council-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = join(folder, 'unwrap.ts');
writeFileSync(script, snippet('ts'));

async function byTypeScript({ body, headers, secret, at }: Delivery): Promise<unknown> {
  const { unwrap }: any = await import(script);
  const now = Date.now;
  Date.now = () => at * 1_000;
  try {
    return unwrap(body, new Headers(headers), secret);
  } finally {
    Date.now = now;
  }
}

async function byPython({ body, headers, secret, at }: Delivery): Promise<unknown> {
  const call = `import sys\ngiven = json.load(sys.stdin)\ntime.time = lambda: given["at"]\nprint(json.dumps(unwrap(given["body"].encode(), given["headers"], given["secret"])))`;
  const output = execFileSync('python3', ['-c', `${snippet('python')}\n${call}`], {
    input: JSON.stringify({ body, headers, secret, at }),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return JSON.parse(output.toString());
}

const describeWithPython = spawnSync('python3', ['--version']).status === 0 ? describe : describe.skip;

describe('the receiver in TypeScript', () => {
  cases(byTypeScript);
});

describeWithPython('the receiver in Python', () => {
  cases(byPython);
});

function cases(unwrap: (delivery: Delivery) => Promise<unknown>): void {
  test.each(accepted)('takes %s', async (_what, delivery) => {
    expect(await unwrap(delivery)).toEqual({ test: 2_432_232_314 });
  });

  test.each(refused)('refuses %s', async (_what, delivery) => {
    await expect(unwrap(delivery)).rejects.toThrow();
  });
}
