import { betterAuth } from 'better-auth';
import pg from 'pg';
import { pino } from 'pino';
import { authOptions } from '../../../api/auth/accounts.js';
import { noMail } from '../mail/no-mail.js';

/** Every route of the account library as this service configures it, whether the service offers it or not. */
export async function accountLibraryRoutes(): Promise<{ methods: string[]; path: string }[]> {
  const options = {
    log: pino({ level: 'silent' }),
    baseUrl: 'http://127.0.0.1',
    trustedOrigins: ['http://127.0.0.1'],
    secrets: [{ version: 1, value: 'x'.repeat(32) }],
    ...noMail,
  };
  const auth = betterAuth(authOptions(options, new pg.Pool(), async () => undefined));
  // It loads the rest of itself later, and must not do so once the test is over.
  await auth.$context;
  return Object.values<any>(auth.api).map(({ path, options }) => ({
    methods: [options?.method].flat(),
    path: `/api/auth${path}`,
  }));
}
