import type { Settings } from '../../config/settings.js';
import { readServerState } from '../../db/migrate.js';
import { withDatabase } from '../connections/with-database.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, warning } from './finding.js';

const toleratedSeconds = 30;
const answerWithinMs = 4_000;

/**
 * Holds the clock of this machine against others: sessions, weekly grants and Stripe's signatures all go by the time, and
 * fail for no reason that anybody sees where it is wrong.
 */
export async function checkClock(world: DoctorWorld): Promise<readonly Finding[]> {
  const compared = await Promise.all([
    compareWith('the database', world.now, () => databaseTime(world.databaseUrl)),
    ...sources(world).map(url => compareWith(new URL(url).host, world.now, () => httpTime(url))),
  ]);
  const skews = compared.filter(skew => skew !== null);
  if (skews.length === 0) return [ok('clock', 'there is no other clock here to compare it with')];
  const off = skews.filter(({ aheadSeconds }) => Math.abs(aheadSeconds) > toleratedSeconds);
  if (off.length === 0) return [ok('clock', `agrees with ${skews.map(({ source }) => source).join(', ')}`)];
  const next =
    'Set the clock, and keep it set (NTP: `timedatectl set-ntp true`): sessions, weekly grants and Stripe’s signatures depend on it.';
  return off.map(skew => warning('clock', describe(skew), next));
}

interface Skew {
  readonly source: string;
  /** How far this machine is ahead of it; negative where it is behind. */
  readonly aheadSeconds: number;
}

/** Null where the other clock cannot be read: other checks say why. */
async function compareWith(
  source: string,
  now: () => number,
  read: () => Promise<number | null>,
): Promise<Skew | null> {
  const before = now();
  const there = await read().catch(() => null);
  if (there === null) return null;
  // Whenever in between it was that the other clock was read.
  const here = (before + now()) / 2;
  return { source, aheadSeconds: Math.round((here - there) / 1_000) };
}

function describe({ source, aheadSeconds }: Skew): string {
  const way = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return `this machine is ${Math.abs(aheadSeconds)} s ${way} ${source}`;
}

async function databaseTime(url: string | null): Promise<number | null> {
  return url === null ? null : (await withDatabase(url, readServerState)).now.getTime();
}

/** Every answer of a web server carries its time, to the second. */
async function httpTime(url: string): Promise<number | null> {
  const { headers } = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? null : time;
}

/** The API that the command line speaks to, and those vendors that will be asked anyway. No key is sent. */
function sources({ env, settings, running }: DoctorWorld): string[] {
  const api = env['COUNCIL_BASE_URL'] ?? running?.url ?? '';
  const vendors = settings.COUNCIL_PROVIDERS === 'live' ? vendorAddresses(settings) : [];
  return [api, ...vendors].filter(url => URL.canParse(url));
}

function vendorAddresses(settings: Settings): string[] {
  const known = [
    [settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL ?? 'https://api.openai.com'],
    [settings.ANTHROPIC_API_KEY, settings.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com'],
    [settings.GEMINI_API_KEY, settings.GEMINI_BASE_URL ?? 'https://generativelanguage.googleapis.com'],
    [settings.XAI_API_KEY, settings.XAI_BASE_URL ?? 'https://api.x.ai'],
  ] as const;
  return known.filter(([key]) => key !== undefined).map(([, url]) => url);
}
