import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { offeredPaths } from '../../../api/routes/accounts.js';
import { attemptOf } from '../../../api/throttling/attempt-of.js';

const ask = (originalUrl: string, body: unknown = {}) => {
  const request: any = { originalUrl, ip: '203.0.113.7' };
  return attemptOf(request satisfies Request, body);
};

/** Routes of the accounts that neither check a password nor open an account, send a mail or follow its link. */
const free = [
  'sign-out',
  'get-session',
  'token',
  'jwks',
  'list-sessions',
  'revoke-session',
  'revoke-sessions',
  'revoke-other-sessions',
].map(name => `/api/auth/${name}`);

describe('an attempt', () => {
  test('is every request to the accounts but the harmless ones', () => {
    expect([...offeredPaths].filter(path => ask(path) === null).sort()).toEqual(free.sort());
  });

  test.each([
    '/api/auth/sign-in/email/',
    '/api/auth//sign-in//email',
    '/API/auth/SIGN-IN/email',
    '/api/auth/sign%2din/email',
  ])('is recognised however its path is written: %s', path => {
    expect(ask(path, { email: ' You@Example.com' })).toEqual({
      kind: 'sign_in',
      address: '203.0.113.7',
      subject: { by: 'address', address: 'you@example.com' },
    });
  });

  test('without a readable body counts for its network alone', () => {
    for (const body of [null, 7, { email: 7 }, []]) {
      expect(ask('/api/auth/sign-in/email', body)?.subject).toEqual({ by: 'address', address: null });
    }
  });

  test('is about what its route reads, whatever else the body names', () => {
    const body = { email: 'someone-else@example.com', token: 'a-token' };
    const subjectOf = (path: string) => ask(`/api/auth/${path}`, body)?.subject;
    expect(subjectOf('change-password')).toEqual({ by: 'session' });
    expect(subjectOf('reset-password')).toEqual({ by: 'reset_link', token: 'a-token' });
    expect(subjectOf('verify-email')).toEqual({ by: 'nothing' });
  });
});
