import {
  mailRequestedShape,
  newPasswordSchema,
  passwordRequestedShape,
  passwordRequestSchema,
  passwordSetShape,
  verificationMailSchema,
  verifyEmailParameters,
} from '../../../contract/accounts.js';
import { credentialsExample } from '../examples/accounts.js';
import type { Operation } from '../operation.js';

/** The routes of the account library that send mail, and those that its links lead to. */
export const accountMailOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/auth/send-verification-email',
    operationId: 'sendVerificationEmail',
    tag: 'Accounts',
    summary: 'Request a link to verify an address',
    description:
      'Sends the mail of the sign-up again. Returns the same for every address, except to a signed-in user, whose address has to be this one and must not be verified yet.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    body: {
      schema: verificationMailSchema,
      required: true,
      examples: { address: { summary: 'An address', value: { email: credentialsExample.email } } },
    },
    responses: [
      {
        status: 200,
        description: 'The mail is sent if an account with this address needs it.',
        shape: mailRequestedShape,
        examples: { requested: { summary: 'Requested', value: { status: true } } },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['not_found'],
  },
  {
    method: 'get',
    path: '/api/auth/verify-email',
    operationId: 'verifyEmail',
    tag: 'Accounts',
    summary: 'Verify an address',
    description:
      'The link in the mail. Verifies the address, which works for 24 hours after the mail was sent, and leads to a page that shows the result. Signs nobody in.',
    costs: 'Nothing. Where it is required, the free report of the week is available afterwards.',
    access: 'public',
    parameters: [
      {
        in: 'query',
        schema: verifyEmailParameters,
        examples: { token: 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6…' },
      },
    ],
    responses: [
      {
        status: 302,
        description: 'The page `/email-verified`, with `error` in its query if the link does not work.',
        headers: ['Location-of-page', 'Cache-Control'],
      },
    ],
    problems: ['not_found', 'unavailable'],
  },
  {
    method: 'post',
    path: '/api/auth/request-password-reset',
    operationId: 'requestPasswordReset',
    tag: 'Accounts',
    summary: 'Request a new password',
    description:
      'Sends a link to set a new password, which works once and for 60 minutes. Returns the same for every address.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    body: {
      schema: passwordRequestSchema,
      required: true,
      examples: { address: { summary: 'An address', value: { email: credentialsExample.email } } },
    },
    responses: [
      {
        status: 200,
        description: 'The mail is sent if there is an account with this address.',
        shape: passwordRequestedShape,
        examples: {
          requested: {
            summary: 'Requested',
            value: {
              status: true,
              message: 'If this email exists in our system, check your email for the reset link',
            },
          },
        },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['not_found'],
  },
  {
    method: 'post',
    path: '/api/auth/reset-password',
    operationId: 'resetPassword',
    tag: 'Accounts',
    summary: 'Set a new password',
    description:
      'Sets a new password with the token of the link in the mail, verifies the address and ends all sessions of the account. If the address was not verified before, its API keys are revoked, too: somebody else may have opened the account.',
    costs: 'Nothing.',
    access: 'cookie_if_any',
    needs: 'With a cookie, the `Origin` header that every browser sends.',
    body: {
      schema: newPasswordSchema,
      required: true,
      examples: {
        password: {
          summary: 'A new password',
          value: { token: 'mmBnJmvRk5Nq4mHkDbYtWcZs', newPassword: credentialsExample.password },
        },
      },
    },
    responses: [
      {
        status: 200,
        description: 'The password is set.',
        shape: passwordSetShape,
        examples: { set: { summary: 'Set', value: { status: true } } },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['not_found'],
  },
];
