import { z } from 'zod';
import { list, text, timestamp } from './parts.js';

/**
 * The built-in accounts, whose routes are a library's own. It does the parsing; here stands what is promised of it, and
 * tests hold it to that. Its field names are in camel case.
 */

const passwordMinChars = 8;
const passwordMaxChars = 128;

const email = z.string().regex(z.regexes.email).describe('An e-mail address, in any letter case.');
const rememberMe = z.boolean().optional().describe('False: the cookie ends with the browser.');

export const signUpSchema = z.object({
  name: z.string().meta({ pattern: '^[^\\u0000]*$' }),
  email,
  password: text(passwordMaxChars).min(passwordMinChars),
  rememberMe,
});

export const signInSchema = z.object({ email, password: z.string().min(1), rememberMe });

export const userShape = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  image: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const sessionId = z
  .string()
  .describe('Names the session. It is no credential here: fetch a session token with the cookie.');

export const signedUpShape = z.object({ token: sessionId.nullable(), user: userShape });
export const signedInShape = z.object({ redirect: z.boolean(), token: sessionId, user: userShape });
export const signedOutShape = z.object({ success: z.literal(true) });

/** Null for whoever is not signed in. */
export const currentSessionShape = z
  .object({
    session: z.object({
      id: z.string(),
      token: sessionId,
      userId: z.string(),
      expiresAt: timestamp,
      createdAt: timestamp,
      updatedAt: timestamp,
      ipAddress: z.string().nullable(),
      userAgent: z.string().nullable(),
    }),
    user: userShape,
  })
  .nullable();

export const sessionTokenShape = z.object({ token: z.string().describe('Good for a quarter of an hour.') });

/** Public keys (RFC 7517). */
export const publicKeysShape = z.object({
  keys: list(z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string() })),
});
