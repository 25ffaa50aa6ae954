import { z } from 'zod';
import { accountNameMaxChars } from '../purchase/limits.js';
import type { Operation } from './operation.js';
import { list, text, timestamp } from './parts.js';

// A library (better-auth) serves these routes and parses their requests, with field names in camel case.
// These schemas document them, and tests check the library against them.

const passwordMinChars = 8;
const passwordMaxChars = 128;
export const newPassword = text(passwordMaxChars).min(passwordMinChars);

export const email = z.string().regex(z.regexes.email).describe('An email address, case-insensitive.');
const rememberMe = z
  .boolean()
  .optional()
  .describe('If false, the session cookie is deleted when the browser closes.');

const signUpSchema = z
  .object({
    name: z.string().max(accountNameMaxChars).meta({ pattern: '^[^\\u0000]*$' }),
    email,
    password: newPassword,
    rememberMe,
  })
  .meta({ id: 'SignUp' });

const signInSchema = z.object({ email, password: z.string().min(1), rememberMe }).meta({ id: 'SignIn' });

const userShape = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'User' });

const sessionId = z
  .string()
  .describe('Identifier of the session. Not a credential: use the cookie to request a session token.');

const signedUpShape = z.object({ token: sessionId.nullable(), user: userShape }).meta({ id: 'SignedUp' });
const signedInShape = z
  .object({ redirect: z.boolean(), token: sessionId, user: userShape })
  .meta({ id: 'SignedIn' });
const signedOutShape = z.object({ success: z.literal(true) }).meta({ id: 'SignedOut' });

const sessionShape = z
  .object({
    id: z.string(),
    token: sessionId,
    userId: z.string(),
    expiresAt: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'Session' });

const currentSessionShape = z
  .object({ session: sessionShape, user: userShape })
  .meta({ id: 'CurrentSession' });

/** Null if the caller is not signed in. */
const currentSessionOrNullShape = currentSessionShape.nullable();

const sessionTokenShape = z
  .object({ token: z.string().describe('Valid for 15 minutes.') })
  .meta({ id: 'SessionToken' });

/** Public keys (RFC 7517). */
const publicKeysShape = z
  .object({
    keys: list(z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string() })),
  })
  .meta({ id: 'PublicKeys' });

export const accountOperations = {
  signUp: {
    method: 'post',
    path: '/api/auth/sign-up/email',
    tag: 'Accounts',
    access: 'public',
    summary: 'Sign up',
    description:
      'Creates an account, signs the browser in, and sends a link to verify the address. If the address is already in use, in any letter case, the response looks the same, its session does not exist, and the owner of the address gets a mail that says so. A common password is refused, and so is one that repeats a pattern, the address or the name of the service.',
    costs: 'Nothing. A new account has one free report per week and no credits.',
    needs: 'From a browser: a request by a page of this service.',
    body: {
      schema: signUpSchema,
      examples: {
        person: {
          summary: 'A person',
          value: { name: 'You', email: 'you@example.com', password: 'correct horse battery' },
        },
      },
    },
    answers: {
      200: {
        description: 'The account was created and signed in, or its owner gets a mail.',
        schema: signedUpShape,
        examples: { signed_up: 'A new account' },
        headers: ['Set-Cookie'],
      },
    },
    problems: ['not_found', 'unavailable'],
  },
  signIn: {
    method: 'post',
    path: '/api/auth/sign-in/email',
    tag: 'Accounts',
    access: 'public',
    summary: 'Sign in',
    description: 'Signs the browser in. A wrong password and an unknown address return the same error.',
    needs: 'From a browser: a request by a page of this service.',
    body: {
      schema: signInSchema,
      examples: {
        person: {
          summary: 'A person',
          value: { email: 'you@example.com', password: 'correct horse battery' },
        },
      },
    },
    answers: {
      200: {
        description: 'Signed in.',
        schema: signedInShape,
        examples: { signed_in: 'A session' },
        headers: ['Set-Cookie'],
      },
    },
    problems: ['unauthenticated', 'not_found', 'unavailable'],
  },
  signOut: {
    method: 'post',
    path: '/api/auth/sign-out',
    tag: 'Accounts',
    access: 'cookie_if_any',
    summary: 'Sign out',
    description: 'Ends the session of the browser and the session tokens that it issued.',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    answers: {
      200: {
        description: 'Signed out.',
        schema: signedOutShape,
        examples: { signed_out: 'Signed out' },
        headers: ['Set-Cookie'],
      },
    },
    problems: ['invalid_request', 'not_found', 'payload_too_large', 'unsupported_media_type'],
  },
  getSession: {
    method: 'get',
    path: '/api/auth/get-session',
    tag: 'Accounts',
    access: 'cookie_if_any',
    summary: 'Read the current session',
    description: 'Returns the user and the session of the browser, or `null` if no one is signed in.',
    answers: {
      200: {
        description: 'The session, or `null`.',
        schema: currentSessionOrNullShape,
        examples: { somebody: 'Signed in', nobody: 'Not signed in' },
      },
    },
    problems: ['invalid_request', 'not_found'],
  },
  getSessionToken: {
    method: 'get',
    path: '/api/auth/token',
    tag: 'Accounts',
    access: 'cookie',
    summary: 'Create a session token',
    description:
      'Returns a token to send as `Authorization: Bearer`. It is valid for 15 minutes; request a new one afterwards.',
    answers: {
      200: {
        description: 'The token.',
        schema: sessionTokenShape,
        examples: { token: 'A token, shortened' },
      },
    },
    problems: ['invalid_request', 'not_found'],
  },
  getPublicKeys: {
    method: 'get',
    path: '/api/auth/jwks',
    tag: 'Accounts',
    access: 'public',
    summary: 'Read the public keys',
    description: 'Returns the public keys for verifying session tokens (RFC 7517).',
    answers: {
      200: { description: 'Every key in use.', schema: publicKeysShape, examples: { one: 'One key' } },
    },
    problems: ['invalid_request', 'not_found', 'unavailable'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
