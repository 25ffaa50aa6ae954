import { z } from 'zod';
import { email, newPassword } from './accounts.js';
import type { Operation } from './operation.js';

/** The token of a link in a mail. */
const linkToken = z.string().min(1).describe('From the link in the mail.');

const verificationMailSchema = z.object({ email }).meta({ id: 'VerificationMail' });

const verifyEmailParameters = z.object({ token: linkToken });

const passwordRequestSchema = z.object({ email }).meta({ id: 'PasswordRequest' });

const newPasswordSchema = z
  .object({
    token: linkToken,
    newPassword,
  })
  .meta({ id: 'NewPassword' });

const mailRequestedShape = z.object({ status: z.literal(true) }).meta({ id: 'MailRequested' });

const passwordRequestedShape = z
  .object({ status: z.literal(true), message: z.string() })
  .meta({ id: 'PasswordRequested' });

const passwordSetShape = z.object({ status: z.literal(true) }).meta({ id: 'PasswordSet' });

/** The routes of the account library that send mail, and those that its links lead to. */
export const accountMailOperations = {
  sendVerificationEmail: {
    method: 'post',
    path: '/api/auth/send-verification-email',
    tag: 'Accounts',
    access: 'cookie_if_any',
    summary: 'Request a link to verify an address',
    description:
      'Sends the mail of the sign-up again. Returns the same for every address, except to a signed-in user, whose address has to be this one and must not be verified yet.',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    body: {
      schema: verificationMailSchema,
      examples: { address: { summary: 'An address', value: { email: 'you@example.com' } } },
    },
    answers: {
      200: {
        description: 'The mail is sent if an account with this address needs it.',
        schema: mailRequestedShape,
        examples: { requested: 'Requested' },
        headers: ['Cache-Control'],
      },
    },
    problems: ['not_found'],
  },
  verifyEmail: {
    method: 'get',
    path: '/api/auth/verify-email',
    tag: 'Accounts',
    access: 'public',
    summary: 'Verify an address',
    description:
      'The link in the mail. Verifies the address, which works for 24 hours after the mail was sent, and leads to a page that shows the result. Signs nobody in.',
    costs: 'Nothing. Where it is required, the free report of the week is available afterwards.',
    query: verifyEmailParameters,
    examples: { token: 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6…' },
    answers: {
      302: {
        description: 'The page `/email-verified`, with `error` in its query if the link does not work.',
        headers: ['Location-of-page', 'Cache-Control'],
      },
    },
    problems: ['not_found', 'unavailable'],
  },
  requestPasswordReset: {
    method: 'post',
    path: '/api/auth/request-password-reset',
    tag: 'Accounts',
    access: 'cookie_if_any',
    summary: 'Request a new password',
    description:
      'Sends a link to set a new password, which works once and for 60 minutes. Returns the same for every address.',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    body: {
      schema: passwordRequestSchema,
      examples: { address: { summary: 'An address', value: { email: 'you@example.com' } } },
    },
    answers: {
      200: {
        description: 'The mail is sent if there is an account with this address.',
        schema: passwordRequestedShape,
        examples: { requested: 'Requested' },
        headers: ['Cache-Control'],
      },
    },
    problems: ['not_found'],
  },
  resetPassword: {
    method: 'post',
    path: '/api/auth/reset-password',
    tag: 'Accounts',
    access: 'cookie_if_any',
    summary: 'Set a new password',
    description:
      'Sets a new password with the token of the link in the mail, verifies the address and ends all sessions of the account. If the address was not verified before, its API keys are revoked, too: somebody else may have opened the account.',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    body: {
      schema: newPasswordSchema,
      examples: {
        password: {
          summary: 'A new password',
          value: { token: 'mmBnJmvRk5Nq4mHkDbYtWcZs', newPassword: 'correct horse battery' },
        },
      },
    },
    answers: {
      200: {
        description: 'The password is set.',
        schema: passwordSetShape,
        examples: { set: 'Set' },
        headers: ['Cache-Control'],
      },
    },
    problems: ['not_found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
