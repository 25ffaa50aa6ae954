import { betterAuth } from 'better-auth';
import type { JWTPayload } from 'jose';
import pg from 'pg';
import { pino } from 'pino';
import { authOptions } from '../../../api/auth/accounts.js';
import { authSecrets } from '../../../platform/keys/encryption-keys.js';
import { noMail } from '../mail/no-mail.js';
import type { PublicService } from './public-service.js';

/** Signs any claims with the key with which a service signs its session tokens. */
export interface TokenMint {
  sign(claims: JWTPayload): Promise<string>;
  close(): Promise<void>;
}

export function openTokenMint({
  database,
  keyRing,
  url,
}: Pick<PublicService, 'database' | 'keyRing' | 'url'>): TokenMint {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, options: '-c search_path=auth' });
  const auth = betterAuth(
    authOptions(
      {
        log: pino({ level: 'silent' }),
        baseUrl: url,
        trustedOrigins: [],
        secrets: authSecrets(keyRing),
        ...noMail,
      },
      pool,
      async () => undefined,
    ),
  );
  return {
    sign: async claims => (await auth.api.signJWT({ body: { payload: claims } })).token,
    close: () => pool.end(),
  };
}
