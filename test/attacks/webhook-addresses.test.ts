import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTarget } from '../../platform/webhooks/check-target.js';
import { resolveByDns } from '../../platform/webhooks/resolve-host.js';
import { createWebhookSender, type WebhookResult } from '../../platform/webhooks/send-webhook.js';
import { type NameServer, startNameServer } from '../platform/webhooks/name-server.js';
import { type Receiver, startReceiver } from '../platform/webhooks/receiver.js';

/** What listens in the private network that an attacker wants to reach. Nothing may ever connect to it. */
let inside: Receiver;
let names: NameServer;

/** What the attacker's name server answers. `rebinding.example` is public for the first question only. */
const zone: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'public.example': [['93.184.215.14']],
  'loopback.example': [['127.0.0.1']],
  'mixed.example': [['93.184.215.14', '127.0.0.1']],
  'metadata.example': [['169.254.169.254']],
  'rebinding.example': [['93.184.215.14'], ['127.0.0.1']],
  'xn--bcher-kva.example': [['10.0.0.7']],
  '127.0.0.1.nip.example': [['127.0.0.1']],
};

beforeAll(async () => {
  inside = await startReceiver((_, response) => response.end('a secret of the network'));
  names = await startNameServer((name, times) => zone[name]?.[times] ?? zone[name]?.at(-1) ?? []);
});

afterAll(async () => {
  const reached = inside.connections();
  names.close();
  await inside.close();
  expect(reached).toBe(0);
});

const resolve: ReturnType<typeof resolveByDns> = (name, signal) =>
  resolveByDns([names.address])(name, signal);
const register = (url: string) => checkTarget(url, 'public', resolve);
const send = (url: string): Promise<WebhookResult> =>
  createWebhookSender({ policy: 'public', resolve })({ url, headers: {}, body: '{}' });
const withPort = (url: string) => url.replace('PORT', String(inside.port));

const notPublic = 'The host is not at a public address.';
const tried: readonly (readonly [name: string, url: string, reason: string])[] = [
  ['http', 'http://public.example/', 'The address must begin with `https://`.'],
  ['another scheme', 'file:///etc/passwd', 'The address must begin with `https://`.'],
  [
    'no scheme',
    'public.example/hook',
    'This is not an address, such as `https://hooks.example.com/council`.',
  ],
  ['four numbers', 'https://127.0.0.1:PORT/', notPublic],
  ['decimal', 'https://2130706433:PORT/', notPublic],
  ['octal', 'https://0177.0.0.01:PORT/', notPublic],
  ['hexadecimal', 'https://0x7f000001:PORT/', notPublic],
  ['hexadecimal, by bytes', 'https://0x7f.0x0.0x0.0x1:PORT/', notPublic],
  ['a short form', 'https://127.1:PORT/', notPublic],
  ['zero', 'https://0:PORT/', notPublic],
  ['digits of full width', 'https://１２７．０．０．１:PORT/', notPublic],
  ['digits in circles', 'https://①②⑦.⓪.⓪.①:PORT/', notPublic],
  ['escaped', 'https://%31%32%37.0.0.1:PORT/', notPublic],
  ['with a dot at its end', 'https://127.0.0.1.:PORT/', notPublic],
  ['private', 'https://10.0.0.7/', notPublic],
  ['metadata of most clouds', 'https://169.254.169.254/latest/meta-data/', notPublic],
  ['metadata of Alibaba', 'https://100.100.100.200/', notPublic],
  ['metadata of AWS by IPv6', 'https://[fd00:ec2::254]/', notPublic],
  ['broadcast', 'https://255.255.255.255/', notPublic],
  ['loopback of IPv6', 'https://[::1]:PORT/', notPublic],
  ['unspecified of IPv6', 'https://[::]:PORT/', notPublic],
  ['mapped', 'https://[::ffff:127.0.0.1]:PORT/', notPublic],
  ['mapped, in hexadecimal', 'https://[::ffff:7f00:1]:PORT/', notPublic],
  ['compatible', 'https://[::127.0.0.1]:PORT/', notPublic],
  ['NAT64', 'https://[64:ff9b::127.0.0.1]:PORT/', notPublic],
  ['6to4', 'https://[2002:7f00:1::]:PORT/', notPublic],
  ['Teredo', 'https://[2001:0:7f00:1::]:PORT/', notPublic],
  ['link-local of IPv6', 'https://[fe80::1]/', notPublic],
  ['localhost', 'https://localhost:PORT/', notPublic],
  ['localhost in other letters', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/', notPublic],
  ['below localhost', 'https://a.localhost:PORT/', notPublic],
  ['a name of Google’s metadata', 'https://metadata.google.internal/', notPublic],
  ['a single word', 'https://postgres:5432/', notPublic],
  ['a name with a dot at its end', 'https://loopback.example.:PORT/', 'The host must not end with a dot.'],
  ['a user', 'https://public.example@127.0.0.1:PORT/', 'The address must not have a user or a password.'],
  ['a password', 'https://:secret@public.example/', 'The address must not have a user or a password.'],
  ['a fragment', 'https://public.example/#', 'The address must not have a fragment (`#`).'],
  ['a port of another protocol', 'https://public.example:25/', 'The port must be 443 or from 1024 to 65535.'],
  ['too long', `https://public.example/${'a'.repeat(2_000)}`, 'The address has more than 2000 characters.'],
  ['a name of loopback', 'https://loopback.example:PORT/', notPublic],
  ['a name that only looks like an address', 'https://127.0.0.1.nip.example:PORT/', notPublic],
  ['a name with a public and a private address', 'https://mixed.example:PORT/', notPublic],
  ['a name of metadata', 'https://metadata.example/', notPublic],
  ['a name in other letters', 'https://bücher.example/', notPublic],
];

describe('of what an account may state as its address', () => {
  test.each(tried)('%s is refused when it is stored and when it is called', async (_name, url, reason) => {
    expect(await register(withPort(url))).toEqual({ ok: false, reason });
    expect(await send(withPort(url))).toEqual({ kind: 'refused', reason });
  });

  test.each([
    ['a public name', 'https://public.example/hook?a=b', 'https://public.example/hook?a=b'],
    ['a port for users', 'https://public.example:8443', 'https://public.example:8443/'],
    ['a public address', 'https://0x08080808/', 'https://8.8.8.8/'],
    ['a public address of IPv6', 'https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['a name that does not resolve yet', 'https://later.example/', 'https://later.example/'],
    ['other letters, as they are sent', 'https://Grüße.example/', 'https://xn--gre-6ka8l.example/'],
  ])('%s is stored', async (_, text, url) => {
    expect(await register(text)).toEqual({ ok: true, url });
  });

  test('no reason tells what a name of this network resolves to', async () => {
    const reasons = [await register('https://loopback.example/'), await send('https://metadata.example/')];
    expect(JSON.stringify(reasons)).not.toMatch(/127\.|169\.254/);
  });
});

test('a name that is public when it is stored, and private when it is called, reaches nothing', async () => {
  const url = withPort('https://rebinding.example:PORT/');
  expect(await register(url)).toEqual({ ok: true, url });
  expect(await send(url)).toEqual({ kind: 'refused', reason: notPublic });
  expect(names.asked.filter(name => name === 'rebinding.example')).toHaveLength(2);
});

test('a name is asked for once a try: no second answer decides where the connection goes', async () => {
  // The answer that is checked leads nowhere: nobody listens at this address of loopback. A second one would lead inside.
  const answers = [['127.0.0.2'], ['127.0.0.1']];
  const server = await startNameServer((_, times) => answers[times] ?? []);
  const sender = createWebhookSender({ policy: 'any', resolve: resolveByDns([server.address]) });
  const url = withPort('http://twice.example:PORT/');
  expect(await sender({ url, headers: {}, body: '{}' })).toMatchObject({ kind: 'failed' });
  expect(server.asked).toEqual(['twice.example']);
  server.close();
});

test('names are resolved without the hosts file and the search domains of the machine', async () => {
  await expect(resolve('localhost', AbortSignal.timeout(10_000))).rejects.toThrow(/ENODATA|ENOTFOUND/);
  expect(names.asked).toContain('localhost');
});

test('a name server that never answers is left when the try ends', async () => {
  const server = await startNameServer(() => null);
  const sender = createWebhookSender({
    policy: 'public',
    resolve: resolveByDns([server.address]),
    timeoutMs: 300,
  });
  const result = await sender({ url: 'https://silent.example/', headers: {}, body: '{}' });
  expect(result).toEqual({ kind: 'failed', reason: 'No answer came in time.' });
  server.close();
});
