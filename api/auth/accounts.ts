import { betterAuth } from 'better-auth';
import { jwt } from 'better-auth/plugins';
import type { JWTVerifyGetKey } from 'jose';
import pg from 'pg';
import type { Logger } from 'pino';
import { builtInKeysReloadSeconds } from '../../council/limits.js';
import { cacheSessionKeys } from './session-keys.js';

/** The built-in accounts: sign-up, sign-in and session tokens, by `better-auth`. */
export interface AccountsHandler {
  /** Serves everything below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The public keys session tokens are signed with. */
  readonly keys: JWTVerifyGetKey;
  readonly close: () => Promise<void>;
}

export interface AccountsOptions {
  readonly log: Logger;
  readonly now: () => Date;
  readonly databaseUrl: string;
  /** Public address of the service, for cookies and origin checks. */
  readonly baseUrl: string;
  /** The first one encrypts; the others only decrypt what they once encrypted. */
  readonly secrets: readonly { version: number; value: string }[];
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
  const auth = betterAuth(authOptions(options, pool));
  return {
    handle: request => auth.handler(request),
    keys: cacheSessionKeys({
      load: () => auth.api.getJwks(),
      reloadSeconds: builtInKeysReloadSeconds,
      now: options.now,
    }),
    close: () => pool.end(),
  };
}

/** Trusts pages of the host that the caller used, under any name of this host. */
function sameOrigin(request?: Request): string[] {
  return request === undefined ? [] : [new URL(request.url).origin];
}

/** Separate, so that a test can compare the migrations with the schema that the library needs. */
export function authOptions(options: Omit<AccountsOptions, 'databaseUrl' | 'now'>, pool: pg.Pool) {
  return {
    database: pool,
    baseURL: options.baseUrl,
    basePath: '/api/auth',
    secrets: [...options.secrets],
    trustedOrigins: sameOrigin,
    // Explicit, because the library relaxes both under a test runner.
    advanced: { disableOriginCheck: false, disableCSRFCheck: false },
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    // Unexpected errors, such as a lost database, are thrown to the caller instead of printed.
    onAPIError: { throw: true },
    logger: {
      log: (level, message) =>
        options.log[level === 'error' ? 'error' : 'debug']({ accounts: level }, message),
    },
    plugins: [
      jwt({
        jwt: {
          issuer: builtInIssuer,
          audience: builtInIssuer,
          expirationTime: '15m',
          // With its session, so that a token is refused from when its session ends.
          definePayload: ({ user, session }) => ({ email: user.email, name: user.name, sid: session.id }),
        },
      }),
    ],
  } satisfies Parameters<typeof betterAuth>[0];
}
