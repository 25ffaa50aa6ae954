import { betterAuth } from 'better-auth';
import { jwt } from 'better-auth/plugins';
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import pg from 'pg';
import type { Logger } from 'pino';

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
  readonly databaseUrl: string;
  /** Where people reach the service; cookies and origins are held to it. */
  readonly baseUrl: string;
  /** First is active; the others still open what they once closed. */
  readonly secrets: readonly { version: number; value: string }[];
}

/** The issuer and audience of session tokens: the service speaks to itself. */
export const builtInIssuer = 'council-report-service';

const poolConnectionsMax = 5;

export function createAccounts(options: AccountsOptions): AccountsHandler {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: poolConnectionsMax,
    options: '-c search_path=auth',
  });
  pool.on('error', err => options.log.warn({ err }, 'a database connection of the accounts broke'));
  // One that breaks in use fails its query; unheard, the connection's own word of it would end the process too.
  pool.on('connect', connection => connection.on('error', () => undefined));
  const auth = betterAuth(authOptions(options, pool));
  return {
    handle: request => auth.handler(request),
    keys: async (header, token) => createLocalJWKSet(await auth.api.getJwks())(header, token),
    close: () => pool.end(),
  };
}

/** A page may act for its visitor on the very host it came from, under whatever name that host was reached. */
function sameOrigin(request?: Request): string[] {
  return request === undefined ? [] : [new URL(request.url).origin];
}

/** Kept apart so that a test can hold the migrations against what the library asks of the database. */
export function authOptions(options: Omit<AccountsOptions, 'databaseUrl'>, pool: pg.Pool) {
  return {
    database: pool,
    baseURL: options.baseUrl,
    basePath: '/api/auth',
    secrets: [...options.secrets],
    trustedOrigins: sameOrigin,
    // Said outright, because the library would relax both under a test runner.
    advanced: { disableOriginCheck: false, disableCSRFCheck: false },
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    // What the library did not foresee (the database away, say) is thrown to whoever asked, not printed.
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
          definePayload: ({ user }) => ({ email: user.email, name: user.name }),
        },
      }),
    ],
  } satisfies Parameters<typeof betterAuth>[0];
}
