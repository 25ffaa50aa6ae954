import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markEmailVerified } from '../../db/accounts/accounts.js';
import type { Db } from '../../db/database.js';
import { publishSample } from '../../db/reports/reports.js';
import type { Settings } from '../../platform/settings/settings.js';
import { requireAccount } from '../commands/find-account.js';
import { grantToAccount } from '../commands/grant-credits.js';
import { CouncilApi } from '../connections/council-api.js';
import { withDatabase } from '../connections/with-database.js';
import type { TemporalPlace } from '../connections/with-temporal.js';

/** The demo account of the first start. The key and the password are shown once. */
export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly credits: number;
  readonly reportId: number;
  /** How many reports of the sample record the account has. */
  readonly pastReports: number;
}

const demoCredits = 2_000;
const demoEvent = 'sample-ridge-derby-2031';
/** Longer than its run takes. A report that takes longer ends while the newcomer reads. */
const demoReportWithinSeconds = 20;

/**
 * Creates a demo account with credits, an API key, a sample report and the sample record, once per COUNCIL_HOME, if all
 * models are simulated and the sample events are used. After an interrupted first start the next one creates another
 * account, because the secrets of the first were never shown.
 * @returns null when there is nothing to do
 */
export async function firstStart(service: {
  settings: Settings;
  databaseUrl: string;
  temporal: () => TemporalPlace;
  url: string;
}): Promise<Demo | null> {
  const { settings, databaseUrl, temporal, url } = service;
  const marker = join(settings.COUNCIL_HOME, 'demo-account');
  const isDemo = settings.COUNCIL_PROVIDERS === 'simulated' && settings.MARKETS.includes('sample');
  if (!isDemo || settings.SESSION_JWKS_URL !== undefined || existsSync(marker)) return null;

  const email = `demo-${randomBytes(3).toString('hex')}@council.invalid`;
  const password = randomBytes(12).toString('base64url');
  const session = await CouncilApi.signUp(url, { email, password, name: 'Demo' });
  const { key } = await session.request('POST /api/keys', { body: { name: 'demo' } });
  await withDatabase(databaseUrl, async db => {
    const { id } = await requireAccount(db, { email });
    // Nobody reads mail to this address, and its free report must not wait for a link.
    await markEmailVerified(db, id, new Date());
    await grantToAccount(db, { account: { id }, credits: demoCredits, reason: 'demo account' });
  });
  const api = new CouncilApi(url, key);
  const { report_id: reportId } = await api.reports.buy(
    { event_id: demoEvent },
    { idempotencyKey: 'demo-report' },
  );
  const accountId = await withDatabase(databaseUrl, db => publishDemoReport(db, email, reportId));
  // Loaded here, because every later start does without it.
  const { fillSampleRecord } = await import('./fill-sample-record.js');
  const pastReports = await fillSampleRecord({ databaseUrl, temporal: temporal() }, accountId);
  await api.reports.wait(reportId, { timeoutSeconds: demoReportWithinSeconds });
  writeFileSync(marker, `${email}\n`);
  return { email, password, key, credits: demoCredits, reportId, pastReports };
}

/** Shows the report on the page to visitors who have not signed up. @returns the id of the account */
async function publishDemoReport(db: Db, email: string, reportId: number): Promise<string> {
  const { id: accountId } = await requireAccount(db, { email });
  await publishSample(db, { accountId, reportId, now: new Date() });
  return accountId;
}

/** What `npm start` prints when everything runs: the addresses, and what to do next. */
export function describeService(service: {
  settings: Settings;
  url: string;
  uiUrl: string | undefined;
  metricsUrl: string;
  simulator: string;
  demo: Demo | null;
}): string {
  const { settings, url, uiUrl, metricsUrl, simulator, demo } = service;
  const simulated = settings.COUNCIL_PROVIDERS === 'simulated';
  return [
    '',
    ...(demo === null ? [] : describeDemo(demo, url)),
    ...(simulated
      ? [`Models are SIMULATED, and every report says so. Inject faults at ${simulator}/simulator/faults`]
      : [
          `Models are live. Create an account at ${url}/sign-in, then grant it credits:`,
          '  npm run council -- credits grant --email YOU --credits 1000 --reason "first credits"',
        ]),
    [
      `Ready: API ${url}`,
      ...(uiUrl === undefined ? [] : [`Temporal Web UI ${uiUrl}`]),
      `Metrics ${metricsUrl}`,
      ...mailNote(settings),
    ].join(' · '),
  ].join('\n');
}

/** With an outside identity provider, the service sends no mail. */
function mailNote({ SMTP_URL, SESSION_JWKS_URL }: Settings): string[] {
  const isWritten = SMTP_URL === undefined && SESSION_JWKS_URL === undefined;
  return isWritten ? ['mail is written to the log, because SMTP_URL is not set'] : [];
}

function describeDemo(demo: Demo, url: string): string[] {
  return [
    'Created a demo account. Its secrets are shown only once:',
    `  e-mail    ${demo.email}`,
    `  password  ${demo.password}`,
    `  API key   ${demo.key}`,
    `  credits   ${demo.credits}; the weekly grant paid for a sample report, number ${demo.reportId}`,
    `  record    ${demo.pastReports} simulated reports on sample events that have resolved: ${url}/track-record`,
    `Try: open ${url} in a browser, or`,
    `  export COUNCIL_API_KEY=${demo.key}`,
    `  npm run council -- report show ${demo.reportId}`,
    '  npm run council -- report run "fed cut"',
    '',
  ];
}
