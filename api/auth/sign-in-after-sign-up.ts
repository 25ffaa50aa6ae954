import { createAuthMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateRandomString } from 'better-auth/crypto';
import { z } from 'zod';

/**
 * Signs a new user in, and answers a sign-up with an address in use in the same way: with a session that does not exist.
 * The library answers both alike only without signing in (`autoSignIn: false`), and outside clients need the session of
 * a new account at once.
 */
export const signInAfterSignUp = createAuthMiddleware(async ctx => {
  const signedUp = ctx.path === '/sign-up/email' ? signedUpShape.safeParse(ctx.context.returned) : null;
  if (signedUp?.success !== true) return;
  const { internalAdapter } = ctx.context;
  const isShort = bodyShape.safeParse(ctx.body).data?.rememberMe === false;
  const user = await internalAdapter.findUserById(signedUp.data.user.id);
  const session = user === null ? madeUpSession() : await internalAdapter.createSession(user.id, isShort);
  await setSessionCookie(ctx, { session, user: user ?? madeUpUser }, isShort);
  return ctx.json({ token: session.token, user: signedUp.data.user });
});

const signedUpShape = z.object({ token: z.null(), user: z.looseObject({ id: z.string() }) });
const bodyShape = z.object({ rememberMe: z.boolean().optional() });

/** As long as the library's own, of the same characters. */
const sessionTokenChars = 32;

const epoch = new Date(0);
const madeUpUser = { id: '', createdAt: epoch, updatedAt: epoch, email: '', emailVerified: false, name: '' };

/** Only its token is used, in the cookie and in the response. */
function madeUpSession() {
  const token = generateRandomString(sessionTokenChars, 'a-z', 'A-Z', '0-9');
  return { id: '', createdAt: epoch, updatedAt: epoch, userId: '', expiresAt: epoch, token };
}
