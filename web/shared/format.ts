import { venueNames } from '../../contract/callers/event-text.js';

/** Formats numbers and times without the locale, so that the server and every browser write them alike. */

/** Title of the document for a page. */
export const pageTitle = (name: string) => `${name} · Council Report`;

const noBreakSpace = '\u00a0';
const narrowNoBreakSpace = '\u202f';

/** @param value in percent */
export const percentText = (value: number) => `${value.toFixed(1).replace(/\.0$/, '')}${noBreakSpace}%`;

/** A text whose percent signs stay with their numbers. */
export const withNoBreak = (text: string) => text.replaceAll(' %', `${noBreakSpace}%`);

/** @param value a fraction of a dollar */
export const cents = (value: number) => `${(value * 100).toFixed(1).replace(/\.0$/, '')}${noBreakSpace}¢`;

/** @param value in dollars */
export const dollars = (value: number) => `${value < 0 ? '−' : ''}$${Math.abs(value).toFixed(2)}`;

export const creditsText = (count: number) =>
  `${grouped(count)} ${Math.abs(count) === 1 ? 'credit' : 'credits'}`;

/** "1 search", "7 searches" */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** "Claude, GPT and Grok" */
export const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The number has a sign, unless it is rounded to 0. */
export function signed(value: number, digits = 1): string {
  const written = Math.abs(value).toFixed(digits);
  return Number(written) === 0 ? written : `${value > 0 ? '+' : '−'}${written}`;
}

export const grouped = (value: number) =>
  `${value < 0 ? '−' : ''}${String(Math.abs(value)).replace(/\B(?=(\d{3})+(?!\d))/g, narrowNoBreakSpace)}`;

/** Rounded dollars or contracts: "$1.2 M", "1.2 M contracts". */
export function volume(value: number, unit: 'usd' | 'contracts'): string {
  return unit === 'usd' ? `$${rounded(value)}` : `${rounded(value)} contracts`;
}

interface Traded {
  readonly volume: number;
  readonly volume_unit: 'usd' | 'contracts';
  readonly venue: keyof typeof venueNames;
}

/** "48 k contracts traded on Kalshi". The bundled events trade nowhere. */
export function tradedText({ volume: value, volume_unit: unit, venue }: Traded): string {
  return `${volume(value, unit)} traded${venue === 'sample' ? '' : ` on ${venueNames[venue]}`}`;
}

function rounded(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e3) return `${(value / 1e3).toFixed(0)} k`;
  return value.toFixed(0);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The time in UTC, like the days and weeks of the service. @param iso ISO 8601 */
export function day(iso: string): string {
  const at = new Date(iso);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
}

export function minute(iso: string): string {
  return `${day(iso)}, ${iso.slice(11, 16)} UTC`;
}

const memberNames = { claude: 'Claude', gpt: 'GPT', gemini: 'Gemini', grok: 'Grok' } as const;

export const memberName = (model: keyof typeof memberNames) => memberNames[model];

/** The members in the order of the council. `test/council/members.test.ts` compares them. */
export const members = ['claude', 'gpt', 'gemini', 'grok'] as const;
