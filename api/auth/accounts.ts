import { setTimeout as pause } from 'node:timers/promises';
import { types } from 'node:util';
import { betterAuth } from 'better-auth';
import { jwt } from 'better-auth/plugins';
import type { JWTVerifyGetKey } from 'jose';
import pg from 'pg';
import type { Logger } from 'pino';
import { openAccount } from '../../db/accounts/accounts.js';
import { revokeApiKeys } from '../../db/accounts/api-keys.js';
import { deleteProviderKeys } from '../../db/accounts/provider-keys.js';
import type { Db } from '../../db/database.js';
import { deleteEndpoints } from '../../db/webhooks/endpoints.js';
import { builtInKeysReloadSeconds, passwordRequestAnsweredAfterMs } from '../../purchase/limits.js';
import { type AccountMailOptions, accountMail, type VerifiedUser } from './account-mail.js';
import { accountRules } from './account-rules.js';
import { createPasswordHashing, type PasswordHashing } from './password-hashing.js';
import { cacheSessionKeys } from './session-keys.js';
import { signInAfterSignUp } from './sign-in-after-sign-up.js';

/** The built-in accounts: sign-up, sign-in and session tokens, by `better-auth`. */
export interface AccountsHandler {
  /** Serves everything below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The e-mail address, in lower case, of the user whose session cookie is in the headers. Null without a session. */
  sessionAddress(headers: Headers): Promise<string | null>;
  /** The public keys session tokens are signed with. */
  readonly keys: JWTVerifyGetKey;
  readonly close: () => Promise<void>;
}

export interface AccountsOptions extends AccountMailOptions {
  readonly log: Logger;
  readonly now: () => Date;
  /** Must keep startup options: one names the schema of the accounts. */
  readonly databaseUrl: string;
  /** The origins whose pages may use accounts. */
  readonly trustedOrigins: readonly string[];
  /** The first one encrypts; the others only decrypt what they once encrypted. */
  readonly secrets: readonly { version: number; value: string }[];
  /** Called when somebody has signed up. */
  readonly onSignUp?: () => void;
  /** Default: that of the library, bounded. */
  readonly passwords?: PasswordHashing;
}

/** Issuer and audience of session tokens, which the service issues to itself. */
export const builtInIssuer = 'council-report-service';

const poolConnectionsMax = 5;

export function createAccounts(options: AccountsOptions): AccountsHandler {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: poolConnectionsMax,
    options: '-c search_path=auth',
  });
  pool.on('error', err => options.log.warn({ err }, 'a database connection of the accounts failed'));
  // A connection that fails in use fails its query. Without a listener, its `error` event would end the process.
  pool.on('connect', connection => connection.on('error', () => undefined));
  const auth = betterAuth(authOptions(options, pool, verifyOnReset));
  /** A user who sets a new password by mail has the address. */
  async function verifyOnReset({ user }: Parameters<PasswordReset>[0]) {
    if (user.emailVerified) return;
    const { internalAdapter } = await auth.$context;
    // First, so that no session of somebody else creates a key after the keys are revoked.
    await internalAdapter.deleteUserSessions(user.id);
    await options.addressVerified({ id: user.id, email: user.email, by: 'reset' });
    await internalAdapter.updateUser(user.id, { emailVerified: true });
  }
  return {
    handle: async request => {
      const { pathname } = new URL(request.url);
      const answered = auth.handler(pathname === verifyPath ? withResultPage(request) : request);
      // The library answers a request for a new password alike whether the address has an account or not, but sooner if
      // it has none: it stores nothing.
      if (pathname !== passwordRequestPath) return answered;
      const [response] = await Promise.all([answered, pause(passwordRequestAnsweredAfterMs)]);
      return response;
    },
    sessionAddress: async headers => (await auth.api.getSession({ headers }))?.user.email ?? null,
    keys: cacheSessionKeys({
      load: () => auth.api.getJwks(),
      reloadSeconds: builtInKeysReloadSeconds,
      now: options.now,
    }),
    close: () => pool.end(),
  };
}

const verifyPath = '/api/auth/verify-email';
const passwordRequestPath = '/api/auth/request-password-reset';

/** The link in a mail leads to the page with the result, and to no other that somebody has added to it. */
function withResultPage(request: Request): Request {
  const url = new URL(request.url);
  url.searchParams.set('callbackURL', '/email-verified');
  return new Request(url, request);
}

/**
 * The header in which the library gets the caller's address. The route sets it on every request, and passes on no header
 * in which a caller or a proxy could state another one.
 */
export const callerAddressHeader = 'x-caller-address';

type PasswordReset = (data: {
  readonly user: { readonly id: string; readonly email: string; readonly emailVerified: boolean };
}) => Promise<void>;

/** Separate, so that a test can compare the migrations with the schema that the library needs. */
export function authOptions(
  options: Omit<AccountsOptions, 'databaseUrl' | 'now'>,
  pool: pg.Pool,
  onPasswordReset: PasswordReset,
) {
  const { emailVerification, emailAndPassword } = accountMail(options);
  return {
    database: pool,
    baseURL: options.baseUrl,
    basePath: '/api/auth',
    secrets: [...options.secrets],
    trustedOrigins: [...options.trustedOrigins],
    advanced: {
      // Explicit, because the library relaxes both under a test runner.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [callerAddressHeader] },
      trustedProxyHeaders: false,
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      password: options.passwords ?? createPasswordHashing(),
      onPasswordReset,
      ...emailAndPassword,
    },
    emailVerification,
    hooks: { before: accountRules, after: signInAfterSignUp },
    // The service throttles in front of the library, for all processes together.
    rateLimit: { enabled: false },
    databaseHooks: { user: { create: { after: async () => options.onSignUp?.() } } },
    telemetry: { enabled: false },
    // Unexpected errors, such as a lost database, are thrown to the caller instead of printed.
    onAPIError: { throw: true },
    logger: { log: accountsLog(options.log) },
    plugins: [
      jwt({
        jwt: {
          issuer: builtInIssuer,
          audience: builtInIssuer,
          expirationTime: '15m',
          // With its session, so that a token is refused from when its session ends.
          definePayload: ({ user, session }) => ({
            email: user.email,
            email_verified: user.emailVerified,
            name: user.name,
            sid: session.id,
          }),
        },
      }),
    ],
  } satisfies Parameters<typeof betterAuth>[0];
}

type LibraryLevel = 'debug' | 'info' | 'success' | 'warn' | 'error';

/** Longer messages quote what a caller has sent. */
const messageCharsMax = 200;

/**
 * What the account library logs. It calls a caller's mistakes errors too, such as an unknown origin, so its level counts
 * only with a failure of our own beside it: nobody outside may raise the level of a line. Other failures it throws, and
 * they are logged with their request.
 */
export function accountsLog(log: Logger) {
  return (level: LibraryLevel, message: string, ...details: unknown[]): void => {
    const err = details.find(isOwnFailure);
    const text = message.slice(0, messageCharsMax);
    if (err !== undefined) log.error({ accounts: level, err }, text);
    else log[level === 'error' || level === 'warn' ? 'info' : 'debug']({ accounts: level }, text);
  };
}

/** A failed query, unless for a value that the caller sent (class 22 and 23), or a lost connection. */
function isOwnFailure(detail: unknown): boolean {
  if (!types.isNativeError(detail) || !('code' in detail) || typeof detail.code !== 'string') return false;
  return /^([0-9A-Z]{5}|E[A-Z_]+)$/.test(detail.code) && !/^2[23]/.test(detail.code);
}

/**
 * Stores on the account that its address is verified, at once and not with the user's next token. If the owner of an
 * unverified address sets a new password, somebody else may have used the account before: then it keeps no API key, no
 * provider key, with which the owner's runs would be calls of another customer of the vendor, and no webhook, which would
 * tell somebody else what the owner buys.
 */
export function verifyAccount({ db, now, newId }: { db: Db; now: () => Date; newId: () => string }) {
  return async ({ id, email, by }: VerifiedUser): Promise<void> => {
    const identity = { issuer: builtInIssuer, subject: id, email, verifiedAt: now(), newId: newId() };
    const account = await openAccount(db, identity);
    if (by !== 'reset') return;
    await revokeApiKeys(db, account.id, now());
    await deleteProviderKeys(db, account.id);
    await deleteEndpoints(db, account.id);
  };
}
