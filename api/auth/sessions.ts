import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import { authSecrets } from '../../config/keys/encryption-keys.js';
import type { EncryptionKey } from '../../config/keys/key-ring.js';
import type { Settings } from '../../config/settings.js';
import { type AccountsHandler, builtInIssuer, createAccounts } from './accounts.js';

export interface Sessions {
  readonly sessions: SessionVerifier;
  readonly accounts: AccountsHandler | null;
}

/** Whose session tokens are trusted: an outside provider's where one is set, else those of the built-in accounts. */
export function openSessions(
  settings: Settings,
  databaseUrl: string,
  ring: readonly EncryptionKey[],
  log: Logger,
): Sessions {
  const { SESSION_JWKS_URL: jwksUrl, SESSION_ISSUER: issuer, SESSION_AUDIENCE: audience } = settings;
  if (jwksUrl !== undefined && issuer !== undefined && audience !== undefined) {
    const keys = createRemoteJWKSet(new URL(jwksUrl));
    return { sessions: createSessionVerifier({ keys, issuer, audience }), accounts: null };
  }
  const accounts = createAccounts({
    log,
    databaseUrl,
    baseUrl: `http://${settings.HOST}:${settings.PORT}`,
    secrets: authSecrets(ring),
  });
  const trusted = { keys: accounts.keys, issuer: builtInIssuer, audience: builtInIssuer };
  return { sessions: createSessionVerifier(trusted), accounts };
}

/** The person behind a session token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
}

export interface SessionVerifier {
  /** Null for a token that is not good. @throws SessionKeysUnavailable */
  verify(token: string): Promise<Identity | null>;
}

/** The keys that tokens are held against cannot be had: nothing can be said of any token. */
export class SessionKeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the keys of the identity provider cannot be had', { cause });
    this.name = 'SessionKeysUnavailable';
  }
}

/** Asymmetric only: a token signed with a public key used as an HMAC secret can then never pass. */
const algorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'];
const clockToleranceSeconds = 5;

/** @param keys the public keys of the one issuer that is trusted here. */
export function createSessionVerifier(trusted: {
  keys: JWTVerifyGetKey;
  issuer: string;
  audience: string;
}): SessionVerifier {
  const keys = orUnavailable(trusted.keys);
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms,
          issuer: trusted.issuer,
          audience: trusted.audience,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: clockToleranceSeconds,
        });
        const { sub, email } = payload;
        if (typeof sub !== 'string' || sub === '') return null;
        return { issuer: trusted.issuer, subject: sub, email: typeof email === 'string' ? email : null };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Tells a token that names no key of the provider from a provider that shows none. */
function orUnavailable(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (namesNoKey.some(kind => error instanceof kind)) throw error;
      throw new SessionKeysUnavailable(error);
    }
  };
}

const namesNoKey = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
