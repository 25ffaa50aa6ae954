import { z } from 'zod';
import { accountNameMaxChars } from '../purchase/limits.js';
import { list, text, timestamp } from './parts.js';

// A library (better-auth) serves these routes and parses their requests, with field names in camel case.
// These schemas document them, and tests check the library against them.

const passwordMinChars = 8;
const passwordMaxChars = 128;

const email = z.string().regex(z.regexes.email).describe('An email address, case-insensitive.');
const rememberMe = z
  .boolean()
  .optional()
  .describe('If false, the session cookie is deleted when the browser closes.');

export const signUpSchema = z.object({
  name: z.string().max(accountNameMaxChars).meta({ pattern: '^[^\\u0000]*$' }),
  email,
  password: text(passwordMaxChars).min(passwordMinChars),
  rememberMe,
});

export const signInSchema = z.object({ email, password: z.string().min(1), rememberMe });

/** The token of a link in a mail. */
const linkToken = z.string().min(1).describe('From the link in the mail.');

export const verificationMailSchema = z.object({ email });
export const verifyEmailParameters = z.object({ token: linkToken });
export const passwordRequestSchema = z.object({ email });
export const newPasswordSchema = z.object({
  token: linkToken,
  newPassword: text(passwordMaxChars).min(passwordMinChars),
});

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
  .describe('Identifier of the session. Not a credential: use the cookie to request a session token.');

export const signedUpShape = z.object({ token: sessionId.nullable(), user: userShape });
export const signedInShape = z.object({ redirect: z.boolean(), token: sessionId, user: userShape });
export const signedOutShape = z.object({ success: z.literal(true) });

export const mailRequestedShape = z.object({ status: z.literal(true) });
export const passwordRequestedShape = z.object({ status: z.literal(true), message: z.string() });
export const passwordSetShape = z.object({ status: z.literal(true) });

export const sessionShape = z.object({
  id: z.string(),
  token: sessionId,
  userId: z.string(),
  expiresAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
});

export const currentSessionShape = z.object({ session: sessionShape, user: userShape });

/** Null if the caller is not signed in. */
export const currentSessionOrNullShape = currentSessionShape.nullable();

export const sessionTokenShape = z.object({ token: z.string().describe('Valid for 15 minutes.') });

/** Public keys (RFC 7517). */
export const publicKeysShape = z.object({
  keys: list(z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string() })),
});
