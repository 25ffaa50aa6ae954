import { createRemoteJWKSet } from 'jose';
import type { Logger } from 'pino';
import { authSecrets } from '../../config/auth-secrets.js';
import type { EncryptionKey } from '../../config/key-ring.js';
import type { Settings } from '../../config/settings.js';
import { type AccountsHandler, builtInIssuer, createAccounts } from './accounts.js';
import { createSessionVerifier, type SessionVerifier } from './session-verifier.js';

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
