import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import { authSecrets } from '../../config/keys/encryption-keys.js';
import type { EncryptionKey } from '../../config/keys/key-ring.js';
import { publicUrlOf, type Settings } from '../../config/settings.js';
import type { AccountMailOptions } from './account-mail.js';
import { type AccountsHandler, builtInIssuer, createAccounts } from './accounts.js';

export interface Sessions {
  readonly sessions: SessionVerifier;
  readonly accounts: AccountsHandler | null;
}

/** Trusts session tokens of the configured identity provider, else those of the built-in accounts. */
export function openSessions(
  settings: Settings,
  databaseUrl: string,
  ring: readonly EncryptionKey[],
  log: Logger,
  mail: Pick<AccountMailOptions, 'mailer' | 'addressVerified'>,
): Sessions {
  const { SESSION_JWKS_URL: jwksUrl, SESSION_ISSUER: issuer, SESSION_AUDIENCE: audience } = settings;
  if (jwksUrl !== undefined && issuer !== undefined && audience !== undefined) {
    const keys = createRemoteJWKSet(new URL(jwksUrl));
    return { sessions: createSessionVerifier({ keys, issuer, audience }), accounts: null };
  }
  const accounts = createAccounts({
    log,
    databaseUrl,
    baseUrl: publicUrlOf(settings),
    secrets: authSecrets(ring),
    ...mail,
  });
  const trusted = { keys: accounts.keys, issuer: builtInIssuer, audience: builtInIssuer };
  return { sessions: createSessionVerifier(trusted), accounts };
}

/** The user of a session token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the token says that the address is the user's. */
  readonly emailVerified: boolean;
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

/** @param trusted public keys, issuer and audience of the one trusted provider */
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
        const { sub, email, email_verified: verified } = payload;
        if (typeof sub !== 'string' || sub === '') return null;
        return {
          issuer: trusted.issuer,
          subject: sub,
          email: typeof email === 'string' ? email : null,
          // Some providers send it as a text.
          emailVerified: verified === true || verified === 'true',
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
