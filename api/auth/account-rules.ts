import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { z } from 'zod';
import { accountNameMaxChars } from '../../purchase/limits.js';
import { passwordWeakness } from './password-weakness.js';

/** What this service demands beyond the account library. It runs before each of the library's routes. */
export const accountRules = createAuthMiddleware(async ctx => {
  const { name, email, password, newPassword, token } = bodyShape.safeParse(ctx.body).data ?? {};
  switch (ctx.path) {
    case '/sign-up/email':
      if (name !== undefined && name.length > accountNameMaxChars)
        throw refusal(`The name has more than ${accountNameMaxChars} characters.`);
      return refuseWeak(password, email);
    case '/reset-password': {
      const { internalAdapter } = ctx.context;
      const link = await internalAdapter.findVerificationValue(`reset-password:${token ?? ''}`);
      const user = link === null ? null : await internalAdapter.findUserById(link.value);
      return refuseWeak(newPassword, user?.email);
    }
    case '/change-password': {
      refuseWeak(newPassword, (await getSessionFromCtx(ctx))?.user.email);
      // Always: a password is changed because somebody else may know the old one, and be signed in with it.
      return { context: { body: { revokeOtherSessions: true } } };
    }
    default:
      return;
  }
});

/** What the rules read. The library checks the rest, and answers a field of the wrong type. */
const optionalText = z.string().optional().catch(undefined);
const bodyShape = z.object({
  name: optionalText,
  email: optionalText,
  password: optionalText,
  newPassword: optionalText,
  token: optionalText,
});

function refuseWeak(password: string | undefined, address: string | undefined): void {
  const weakness = password === undefined ? null : passwordWeakness(password, address ?? null);
  if (weakness !== null) throw refusal(weakness);
}

function refusal(message: string): APIError {
  return new APIError('BAD_REQUEST', { message });
}
