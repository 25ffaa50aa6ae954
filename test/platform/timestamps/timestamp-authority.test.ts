import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTimestampAuthority,
  missingAuthorityText,
  openTimestampAuthority,
  recommendedAuthority,
} from '../../../platform/timestamps/timestamp-authority.js';
import { timestampRequest } from '../../../platform/timestamps/timestamp-token.js';
import {
  hasOpenssl,
  type OpensslAuthority,
  skippedWithoutOpenssl,
  startOpensslAuthority,
} from '../../support/timestamps/openssl-authority.js';

test.each(['docs/configuration.md', '.env.example', 'deploy/.env.example'])(
  '%s names the authority that a live service should set',
  file => expect(readFileSync(file, 'utf8')).toContain(recommendedAuthority.url),
);

test('a live service without an authority is warned, a simulated one and one that has it are not', () => {
  const live = { COUNCIL_PROVIDERS: 'live' } as const;
  expect(missingAuthorityText(live)).toContain(`TIMESTAMP_URL=${recommendedAuthority.url}`);
  expect(missingAuthorityText({ ...live, TIMESTAMP_URL: recommendedAuthority.url })).toBeNull();
  expect(missingAuthorityText({ COUNCIL_PROVIDERS: 'simulated' })).toBeNull();
});

const data = Buffer.from('the head of a chain');
const digest = createHash('sha256').update(data).digest();
const describeIfThere = hasOpenssl ? describe : describe.skip;

describeIfThere.each(['rsa', 'ec'] as const)(`an authority with keys of %s${skippedWithoutOpenssl}`, kind => {
  let authority: OpensslAuthority;
  beforeAll(async () => {
    authority = await startOpensslAuthority(kind);
  });
  afterAll(() => authority.close());

  const stamp = (url = authority.url, timeoutMs = 20_000) =>
    createTimestampAuthority({ url, randomBytes, timeoutMs }).stamp(data);

  test('time-stamps data, and OpenSSL verifies the token', async () => {
    const { token, at } = await stamp();
    expect(await authority.verify(token, digest.toString('hex'))).toContain('Verification: OK');
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(600_000);
    await expect(authority.verify(token, 'a'.repeat(64))).rejects.toThrow(/message imprint mismatch/i);
  });

  const queryOf = (hash: Buffer, nonce = randomBytes(16)) => Buffer.from(timestampRequest(hash, nonce));
  const flipped = (reply: Buffer, from: number) => {
    const changed = Buffer.from(reply);
    changed.writeUInt8(changed.readUInt8(changed.length - from) ^ 1, changed.length - from);
    return changed;
  };
  const other = createHash('sha256').update('other').digest();

  const faults: readonly (readonly [string, (reply: Buffer) => Buffer | Promise<Buffer>, object])[] = [
    [
      'a token for another hash',
      () => authority.reply(queryOf(other)),
      { kind: 'invalid', message: /another hash/ },
    ],
    [
      'the token of another request',
      () => authority.reply(queryOf(digest)),
      { kind: 'invalid', message: /another request/ },
    ],
    [
      'a refusal',
      () => authority.reply(Buffer.from('3003020101', 'hex')),
      { kind: 'refused', message: /status is 2/ },
    ],
    [
      'a token with a changed signature',
      reply => flipped(reply, 3),
      { kind: 'invalid', message: /signature/ },
    ],
    ['no token', () => Buffer.from('30053003020100', 'hex'), { kind: 'invalid', message: /no token/ }],
    ['nothing', () => Buffer.alloc(0), { kind: 'invalid', message: /cannot be read/ }],
    ['a web page', () => Buffer.from('<html>'), { kind: 'invalid', message: /cannot be read/ }],
    ['an endless answer', () => Buffer.alloc(100_000), { kind: 'invalid', message: /too long/ }],
    ['an error', () => Promise.reject(new Error('down')), { kind: 'unreachable', message: /status 500/ }],
    ['no answer in time', () => new Promise(() => undefined), { kind: 'unreachable', message: /timeout/ }],
  ];

  test.each(faults)('is not believed with %s', async (name, change, { message, ...failure }: any) => {
    authority.misbehave(change);
    const failed = await stamp(authority.url, name === 'no answer in time' ? 300 : 20_000).catch(
      error => error,
    );
    authority.misbehave(null);
    expect(failed).toMatchObject({ name: 'TimestampFailed', ...failure });
    expect(failed.message).toMatch(message);
  });

  test('is believed only if its certificate leads to a trusted one, where there are any', async () => {
    const [own, stranger] = [authority, await startOpensslAuthority(kind)];
    const withCertificates = (file: string) =>
      openTimestampAuthority({ TIMESTAMP_URL: own.url, TIMESTAMP_CA: file })?.stamp(data);
    await expect(withCertificates(own.certificates)).resolves.toMatchObject({ at: expect.any(Date) });
    await expect(withCertificates(stranger.certificates)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('does not lead to one of TIMESTAMP_CA'),
    });
    await stranger.close();
  });

  test('that is not there is unreachable', async () => {
    await expect(stamp('http://127.0.0.1:1/tsr')).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
