import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { authSecrets } from '../../platform/keys/encryption-keys.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { publicUrlOf, type Settings } from '../../platform/settings/settings.js';
import { providerKeysReloadSeconds, providerKeysWithinSeconds } from '../../purchase/limits.js';
import { type AccountsHandler, type AccountsOptions, builtInIssuer, createAccounts } from './accounts.js';
import { cacheSessionKeys } from './session-keys.js';

export interface Sessions {
  readonly sessions: SessionVerifier;
  readonly accounts: AccountsHandler | null;
}

/**
 * Trusts session tokens of the configured identity provider, else those of the built-in accounts.
 */
export function openSessions(
  settings: Settings,
  databaseUrl: string,
  ring: readonly EncryptionKey[],
  needed: Pick<AccountsOptions, 'log' | 'now' | 'mailer' | 'addressVerified' | 'trustedOrigins' | 'onSignUp'>,
): Sessions {
  const { SESSION_JWKS_URL: jwksUrl, SESSION_ISSUER: issuer, SESSION_AUDIENCE: audience } = settings;
  if (jwksUrl !== undefined && issuer !== undefined && audience !== undefined) {
    const keys = providerKeys(new URL(jwksUrl), needed.now);
    return {
      sessions: createSessionVerifier({ keys, issuer, audience, namesSession: false }),
      accounts: null,
    };
  }
  const accounts = createAccounts({
    ...needed,
    databaseUrl,
    baseUrl: publicUrlOf(settings),
    secrets: authSecrets(ring),
  });
  return builtInSessions(accounts);
}

/** Session tokens of the built-in accounts. */
export function builtInSessions(accounts: AccountsHandler): Sessions {
  const trusted = { keys: accounts.keys, issuer: builtInIssuer, audience: builtInIssuer };
  return { sessions: createSessionVerifier({ ...trusted, namesSession: true }), accounts };
}

function providerKeys(url: URL, now: () => Date): JWTVerifyGetKey {
  const provider = createRemoteJWKSet(url, { timeoutDuration: providerKeysWithinSeconds * 1_000 });
  return cacheSessionKeys({
    load: async () => {
      await provider.reload();
      return provider.jwks() ?? { keys: [] };
    },
    reloadSeconds: providerKeysReloadSeconds,
    now,
  });
}

/** The user of a session token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the token says that the address is the user's. */
  readonly emailVerified: boolean;
  /**
   * The session of the built-in accounts that the token was issued for, which may have ended since. Null for an identity
   * provider, whose tokens are valid until they expire.
   */
  readonly sessionId: string | null;
}

export interface SessionVerifier {
  /** Null for an invalid token. @throws SessionKeysUnavailable */
  verify(token: string): Promise<Identity | null>;
}

/** The public keys of the identity provider cannot be loaded, so no token can be verified. */
export class SessionKeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the keys of the identity provider cannot be loaded', { cause });
    this.name = 'SessionKeysUnavailable';
  }
}

/** Asymmetric only: otherwise a public key could be used as an HMAC secret to forge tokens. */
const algorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'];
const clockToleranceSeconds = 5;

/** @param trusted public keys, issuer and audience of the one trusted provider, and whether its tokens name their session */
function createSessionVerifier(trusted: {
  keys: JWTVerifyGetKey;
  issuer: string;
  audience: string;
  namesSession: boolean;
}): SessionVerifier {
  const keys = orUnavailable(trusted.keys);
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms,
          issuer: trusted.issuer,
          audience: trusted.audience,
          requiredClaims: ['exp', 'sub', ...(trusted.namesSession ? ['sid'] : [])],
          clockTolerance: clockToleranceSeconds,
        });
        const { sub, email, email_verified: verified, sid } = payload;
        if (typeof sub !== 'string' || sub === '') return null;
        return {
          issuer: trusted.issuer,
          subject: sub,
          email: typeof email === 'string' ? email : null,
          // Some providers send it as a text.
          emailVerified: verified === true || verified === 'true',
          sessionId: trusted.namesSession ? String(sid) : null,
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Separates a token that names an unknown key from a provider whose keys cannot be loaded. */
function orUnavailable(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (unknownKeyErrors.some(kind => error instanceof kind)) throw error;
      throw new SessionKeysUnavailable(error);
    }
  };
}

const unknownKeyErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
