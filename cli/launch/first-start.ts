import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.js';
import { findAccountByEmail } from '../../db/accounts/accounts.js';
import type { Db } from '../../db/database.js';
import { showAsSample } from '../../db/reports/reports.js';
import { grantByEmail } from '../commands/grant-by-email.js';
import { CouncilApi } from '../connections/council-api.js';
import { withDatabase } from '../connections/with-database.js';

/** What the first start of a demonstration leaves behind. The key and the password are told once. */
export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly credits: number;
  readonly reportId: number;
}

const demoCredits = 2_000;
const demoEvent = 'sample-ridge-derby-2031';

/**
 * Makes a demo account with credits, a key and one report to look at, where all models are simulated and the
 * sample events are served: once a COUNCIL_HOME. A first start that was interrupted begins again with another
 * account, for nobody has seen the secrets of the first. Null where there is nothing to do.
 */
export async function firstStart(service: {
  settings: Settings;
  databaseUrl: string;
  url: string;
}): Promise<Demo | null> {
  const { settings, databaseUrl, url } = service;
  const note = join(settings.COUNCIL_HOME, 'demo-account');
  const isDemo = settings.COUNCIL_PROVIDERS === 'simulated' && settings.MARKETS === 'sample';
  if (!isDemo || settings.SESSION_JWKS_URL !== undefined || existsSync(note)) return null;

  const email = `demo-${randomBytes(3).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const session = await CouncilApi.signUp(url, { email, password, name: 'Demo' });
  const { key } = await session.mintKey('demo');
  await withDatabase(databaseUrl, db =>
    grantByEmail(db, { email, credits: demoCredits, reason: 'demo account' }),
  );
  const { report_id: reportId } = await new CouncilApi(url, key).buyReport(
    { event_id: demoEvent },
    'demo-report',
  );
  await withDatabase(databaseUrl, db => showToEverybody(db, email, reportId));
  writeFileSync(note, `${email}\n`);
  return { email, password, key, credits: demoCredits, reportId };
}

/** The page has something to read before anybody has signed up. */
async function showToEverybody(db: Db, email: string, reportId: number): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) await showAsSample(db, { accountId: account.id, reportId, now: new Date() });
}

/** What `npm start` says once everything is up: where things are, and what to do next. */
export function describeService(service: {
  settings: Settings;
  url: string;
  uiUrl: string | undefined;
  simulator: string;
  demo: Demo | null;
}): string {
  const { settings, url, uiUrl, simulator, demo } = service;
  const simulated = settings.COUNCIL_PROVIDERS === 'simulated';
  return [
    '',
    ...(demo === null ? [] : describeDemo(demo, url)),
    ...(simulated
      ? [`Models are SIMULATED: every report says so. Faults can be set at ${simulator}/simulator/faults`]
      : [
          `Models are live. Open an account at ${url}/sign-in, then give it credits:`,
          '  npm run council -- credits grant --email YOU --credits 1000 --reason "first credits"',
        ]),
    `Ready: API ${url}${uiUrl === undefined ? '' : ` · Temporal Web UI ${uiUrl}`}`,
  ].join('\n');
}

function describeDemo(demo: Demo, url: string): string[] {
  return [
    'A demo account was made. Its secrets are shown this once:',
    `  e-mail    ${demo.email}`,
    `  password  ${demo.password}`,
    `  API key   ${demo.key}`,
    `  credits   ${demo.credits}; a sample report, number ${demo.reportId}, was paid with the weekly grant`,
    `Try: open ${url} in a browser, or`,
    `  export COUNCIL_API_KEY=${demo.key}`,
    `  npm run council -- report show ${demo.reportId}`,
    '  npm run council -- report run "fed cut"',
    '',
  ];
}
