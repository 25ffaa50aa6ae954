import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTimestamps } from '../../../cli/doctor/check-timestamps.js';
import { createDoctorContext } from '../../../cli/doctor/doctor-context.js';
import { recommendedAuthority } from '../../../platform/timestamps/timestamp-authority.js';
import {
  hasOpenssl,
  type OpensslAuthority,
  skippedWithoutOpenssl,
  startOpensslAuthority,
} from '../../support/timestamps/openssl-authority.js';
import { isolated } from './doctor-support.js';

const check = async (env: Record<string, string> = {}) =>
  checkTimestamps(await createDoctorContext({ ...isolated, ...env }, Date.now));

describe('council doctor on the time stamps of the record', () => {
  test('asks nobody with simulated models, and warns with live ones, naming a public authority', async () => {
    expect(await check()).toMatchObject({ state: 'ok', detail: expect.stringContaining('not set up') });
    expect(await check({ COUNCIL_PROVIDERS: 'live' })).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('unproven'),
      next: expect.stringContaining(recommendedAuthority.url),
    });
  });

  test('reports an authority that does not answer', async () => {
    expect(await check({ TIMESTAMP_URL: 'http://127.0.0.1:1/tsr' })).toMatchObject({
      state: 'problem',
      next: expect.stringContaining('network'),
    });
  });
});

const describeIfOpenssl = hasOpenssl ? describe : describe.skip;

describeIfOpenssl(`council doctor with an authority${skippedWithoutOpenssl}`, () => {
  let authority: OpensslAuthority;
  let stranger: OpensslAuthority;
  beforeAll(async () => {
    [authority, stranger] = await Promise.all([startOpensslAuthority(), startOpensslAuthority('ec')]);
  });
  afterAll(() => Promise.all([authority.close(), stranger.close()]));

  test('has a random hash stamped, and says whether the certificate was checked', async () => {
    const { url, certificates } = authority;
    expect(await check({ TIMESTAMP_URL: url })).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('TIMESTAMP_CA is not set'),
    });
    expect(await check({ TIMESTAMP_URL: url, TIMESTAMP_CA: certificates })).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining(`leads to one of ${certificates}`),
    });
    expect(authority.requests()).toBe(2);
  });

  test('reports a certificate of somebody else, and a file without any', async () => {
    const { url } = authority;
    expect(await check({ TIMESTAMP_URL: url, TIMESTAMP_CA: stranger.certificates })).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('does not lead to'),
    });
    await expect(check({ TIMESTAMP_URL: url, TIMESTAMP_CA: 'package.json' })).rejects.toThrow(
      'TIMESTAMP_CA: package.json cannot be read: it holds no certificate in PEM',
    );
  });
});
