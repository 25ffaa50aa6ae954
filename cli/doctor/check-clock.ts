import { parseUrl } from '../../council/parse-url.js';
import { readServerState } from '../../db/migrate.js';
import { vendorSettings } from '../../providers/vendor-settings.js';
import { withDatabase } from '../connections/with-database.js';
import type { DoctorContext } from './doctor-context.js';
import { ok, type Result, warning } from './finding.js';

const toleratedSeconds = 30;
const answerTimeoutMs = 4_000;

/** Compares the clock of this machine with the database, the API and the vendors. */
export async function checkClock(context: DoctorContext): Promise<readonly Result[]> {
  const { databaseUrl, now } = context;
  const compared = await Promise.all([
    ...(databaseUrl === null ? [] : [secondsAhead(now, () => databaseTime(databaseUrl), 'the database')]),
    ...webSources(context).map(url => secondsAhead(now, () => httpTime(url), new URL(url).host)),
  ]);
  const clocks = compared.filter(clock => clock !== null);
  if (clocks.length === 0) return [ok('no other clock to compare with')];
  const wrong = clocks.filter(({ ahead }) => Math.abs(ahead) > toleratedSeconds);
  if (wrong.length === 0) return [ok(`agrees with ${clocks.map(({ source }) => source).join(', ')}`)];
  const next =
    'Set the clock and keep it synchronised (NTP: `timedatectl set-ntp true`). Sessions, weekly grants and Stripe’s signatures depend on it.';
  return wrong.map(({ ahead, source }) => {
    const direction = ahead > 0 ? 'ahead of' : 'behind';
    return warning(`this machine is ${Math.abs(ahead)} s ${direction} ${source}`, next);
  });
}

/** Null when the other clock cannot be read: other checks say why. */
async function secondsAhead(now: () => number, readOther: () => Promise<number>, source: string) {
  const before = now();
  const other = await readOther().catch(() => Number.NaN);
  if (Number.isNaN(other)) return null;
  // The other clock was read some time between the two.
  const own = (before + now()) / 2;
  return { source, ahead: Math.round((own - other) / 1_000) };
}

async function databaseTime(url: string): Promise<number> {
  return (await withDatabase(url, readServerState)).now.getTime();
}

/** Every web server sends its time, to the second. */
async function httpTime(url: string): Promise<number> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
  return Date.parse(headers.get('date') ?? '');
}

/** The API, and those vendors that reports use anyway. No key is sent. */
function webSources({ env, settings, running }: DoctorContext): string[] {
  const vendors = settings.COUNCIL_PROVIDERS === 'live' ? Object.values(vendorSettings) : [];
  return [
    env['COUNCIL_BASE_URL'] ?? running?.url ?? '',
    ...vendors
      .filter(({ key }) => settings[key] !== undefined)
      .map(({ baseUrl, usualUrl }) => settings[baseUrl] ?? usualUrl),
  ].filter(url => parseUrl(url) !== null);
}
