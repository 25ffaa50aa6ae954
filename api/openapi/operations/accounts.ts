import {
  currentSessionOrNullShape,
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
import { accountMailOperations } from './account-mail.js';

/** The routes of the account library that this service offers. It serves no other. */
export const accountOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/auth/sign-up/email',
    operationId: 'signUp',
    tag: 'Accounts',
    summary: 'Sign up',
    description:
      'Creates an account, signs the browser in, and sends a link to verify the address. If the address is already in use, in any letter case, the response looks the same, its session does not exist, and the owner of the address gets a mail that says so. A common password is refused, and so is one that repeats a pattern, the address or the name of the service.',
    costs: 'Nothing. A new account has one free report per week and no credits.',
    access: 'public',
    needs: 'From a browser: a request by a page of this service.',
    body: {
      schema: signUpSchema,
      required: true,
      examples: { person: { summary: 'A person', value: { name: 'You', ...credentialsExample } } },
    },
    responses: [
      {
        status: 200,
        description: 'The account was created and signed in, or its owner gets a mail.',
        shape: signedUpShape,
        examples: {
          signed_up: { summary: 'A new account', value: { token: sessionExample.token, user: userExample } },
        },
        headers: ['Set-Cookie'],
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
    description: 'Signs the browser in. A wrong password and an unknown address return the same error.',
    costs: 'Nothing.',
    access: 'public',
    needs: 'From a browser: a request by a page of this service.',
    body: {
      schema: signInSchema,
      required: true,
      examples: { person: { summary: 'A person', value: credentialsExample } },
    },
    responses: [
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
        headers: ['Set-Cookie'],
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
    description: 'Ends the session of the browser and the session tokens that it issued.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    responses: [
      {
        status: 200,
        description: 'Signed out.',
        shape: signedOutShape,
        examples: { signed_out: { summary: 'Signed out', value: { success: true } } },
        headers: ['Set-Cookie'],
      },
    ],
    problems: ['invalid_request', 'not_found', 'payload_too_large', 'unsupported_media_type'],
  },
  ...accountMailOperations,
  {
    method: 'get',
    path: '/api/auth/get-session',
    operationId: 'getSession',
    tag: 'Accounts',
    summary: 'Read the current session',
    description: 'Returns the user and the session of the browser, or `null` if no one is signed in.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    responses: [
      {
        status: 200,
        description: 'The session, or `null`.',
        shape: currentSessionOrNullShape,
        examples: {
          somebody: { summary: 'Signed in', value: { session: sessionExample, user: userExample } },
          nobody: { summary: 'Not signed in', value: null },
        },
      },
    ],
    problems: ['invalid_request', 'not_found'],
  },
  {
    method: 'get',
    path: '/api/auth/token',
    operationId: 'getSessionToken',
    tag: 'Accounts',
    summary: 'Create a session token',
    description:
      'Returns a token to send as `Authorization: Bearer`. It is valid for 15 minutes; request a new one afterwards.',
    costs: 'Nothing.',
    access: 'cookie',
    responses: [
      {
        status: 200,
        description: 'The token.',
        shape: sessionTokenShape,
        examples: {
          token: { summary: 'A token, shortened', value: { token: 'eyJhbGciOiJFZERTQSIsImtpZCI6IkVl…' } },
        },
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
    description: 'Returns the public keys for verifying session tokens (RFC 7517).',
    costs: 'Nothing.',
    access: 'public',
    responses: [
      {
        status: 200,
        description: 'Every key in use.',
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
      },
    ],
    problems: ['invalid_request', 'not_found', 'unavailable'],
  },
];
