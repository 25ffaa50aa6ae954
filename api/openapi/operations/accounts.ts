import {
  currentSessionShape,
  publicKeysShape,
  sessionTokenShape,
  signedInShape,
  signedOutShape,
  signedUpShape,
  signInSchema,
  signUpSchema,
} from '../../../contract/accounts.js';
import { credentialsExample, sessionExample, userExample } from '../examples/accounts.js';
import type { Operation } from '../operation.js';

/** Of the account library's routes those that a person needs; `tags.ts` says of the others that they are no part of this. */
export const accountOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/auth/sign-up/email',
    operationId: 'signUp',
    tag: 'Accounts',
    summary: 'Sign up',
    description:
      'Makes an account and signs the browser in. An address that is taken, in any letter case, is `invalid_request`.',
    costs: 'Nothing. A new account has one free report a week and no credits.',
    access: 'public',
    needs: 'From a browser, to be asked by a page of this service.',
    body: {
      schema: signUpSchema,
      required: true,
      examples: { person: { summary: 'A person', value: { name: 'You', ...credentialsExample } } },
    },
    answers: [
      {
        status: 200,
        description: 'Signed up and in.',
        shape: signedUpShape,
        examples: {
          signed_up: { summary: 'A new account', value: { token: sessionExample.token, user: userExample } },
        },
        headers: ['Set-Cookie', 'Cache-Control'],
      },
    ],
    problems: ['not_found', 'unavailable'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/email',
    operationId: 'signIn',
    tag: 'Accounts',
    summary: 'Sign in',
    description: 'Signs the browser in. A wrong password and an unknown address are answered alike.',
    costs: 'Nothing.',
    access: 'public',
    needs: 'From a browser, to be asked by a page of this service.',
    body: {
      schema: signInSchema,
      required: true,
      examples: { person: { summary: 'A person', value: credentialsExample } },
    },
    answers: [
      {
        status: 200,
        description: 'Signed in.',
        shape: signedInShape,
        examples: {
          signed_in: {
            summary: 'A session',
            value: { redirect: false, token: sessionExample.token, user: userExample },
          },
        },
        headers: ['Set-Cookie', 'Cache-Control'],
      },
    ],
    problems: ['unauthenticated', 'not_found', 'unavailable'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-out',
    operationId: 'signOut',
    tag: 'Accounts',
    summary: 'Sign out',
    description:
      'Ends the session of the browser. Session tokens that were taken before stay good until they run out.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    needs: 'With a cookie, the `Origin` that every browser sends.',
    answers: [
      {
        status: 200,
        description: 'Signed out.',
        shape: signedOutShape,
        examples: { signed_out: { summary: 'Done', value: { success: true } } },
        headers: ['Set-Cookie', 'Cache-Control'],
      },
    ],
    problems: ['invalid_request', 'not_found', 'payload_too_large', 'unsupported_media_type'],
  },
  {
    method: 'get',
    path: '/api/auth/get-session',
    operationId: 'getSession',
    tag: 'Accounts',
    summary: 'Who is signed in',
    description: 'The person and the session of the browser; `null` for nobody.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    answers: [
      {
        status: 200,
        description: 'Whoever it is.',
        shape: currentSessionShape,
        examples: {
          somebody: { summary: 'Somebody', value: { session: sessionExample, user: userExample } },
          nobody: { summary: 'Nobody', value: null },
        },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['invalid_request', 'not_found'],
  },
  {
    method: 'get',
    path: '/api/auth/token',
    operationId: 'getSessionToken',
    tag: 'Accounts',
    summary: 'Take a session token',
    description:
      'A token to send as `Authorization: Bearer`. It is good for a quarter of an hour; then take another.',
    costs: 'Nothing.',
    access: 'cookie',
    answers: [
      {
        status: 200,
        description: 'The token.',
        shape: sessionTokenShape,
        examples: {
          token: { summary: 'Shortened', value: { token: 'eyJhbGciOiJFZERTQSIsImtpZCI6IkVl…' } },
        },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['invalid_request', 'not_found'],
  },
  {
    method: 'get',
    path: '/api/auth/jwks',
    operationId: 'getPublicKeys',
    tag: 'Accounts',
    summary: 'Read the public keys',
    description: 'The keys that session tokens are signed with, for whoever wants to verify one (RFC 7517).',
    costs: 'Nothing.',
    access: 'public',
    answers: [
      {
        status: 200,
        description: 'Every key that is in use.',
        shape: publicKeysShape,
        examples: {
          one: {
            summary: 'One key',
            value: {
              keys: [
                {
                  alg: 'EdDSA',
                  crv: 'Ed25519',
                  x: 'gbiixhqoxuyo-He9_YhZ--JXqTlD3GtubPqYdpSjwsM',
                  kty: 'OKP',
                  kid: 'EeQCFF9esZvQPzpig962UGKVVYZZvg8B',
                },
              ],
            },
          },
        },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['invalid_request', 'not_found', 'unavailable'],
  },
];
