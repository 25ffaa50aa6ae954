import { utcDay } from '../calendar.js';

/**
 * The day (`YYYY-MM-DD`) on which a page was published: what the vendor says in its own words, or else a date in the
 * path of its address. Null if neither names a day.
 *
 * @param asOf ISO 8601, UTC: from which `3 days ago` counts back
 */
export function pageDate(pageAge: string | null, url: string, asOf: string): string | null {
  return (pageAge === null ? null : statedDate(pageAge.slice(0, ageMaxChars), asOf)) ?? dateInPath(url);
}

const ageMaxChars = 100;

function statedDate(pageAge: string, asOf: string): string | null {
  const text = pageAge.trim();
  if (isoTime.test(text)) return dayOf(Date.parse(text));
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[.,]/g, ' ');
  return numericDate(text) ?? namedDate(words) ?? relativeDate(words, asOf);
}

const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

function dayOf(time: number): string | null {
  return Number.isFinite(time) ? utcDay(new Date(time)) : null;
}

/** 2026-11-20, 2026/11/20, 2026年11月20日, 20.11.2026, and 11/20/2026 as in the vendors' country. */
function numericDate(text: string): string | null {
  const yearFirst = text.match(/(?<!\d)(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)/);
  if (yearFirst !== null) return validDay(yearFirst[1], yearFirst[2], yearFirst[3]);
  const yearLast = text.match(/(?<!\d)(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4})(?!\d)/);
  if (yearLast === null) return null;
  const [, first, mark, second, year] = yearLast;
  const monthFirst = mark === '/' ? validDay(year, first, second) : null;
  return monthFirst ?? validDay(year, second, first);
}

/** November 20, 2026; 20 Nov 2026; 20. November 2026; 20 de noviembre de 2026. */
function namedDate(words: string): string | null {
  const dayFirst = words.match(
    /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?:\s|-|de\s){1,4}([a-z]{3,12})(?:\s|-|de\s){1,4}(\d{4})(?!\d)/,
  );
  if (dayFirst !== null) return validDay(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = words.match(
    /(?<![a-z])([a-z]{3,12})\s{1,3}(\d{1,2})(?:st|nd|rd|th)?\s{1,3}(\d{4})(?!\d)/,
  );
  return monthFirst === null ? null : validDay(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]);
}

/** 3 days ago, an hour ago, yesterday. */
function relativeDate(words: string, asOf: string): string | null {
  const now = Date.parse(asOf);
  if (/^(?:today|just now|now)$/.test(words)) return dayOf(now);
  if (/^yesterday$/.test(words)) return dayOf(now - unitMs.day);
  const ago = words.match(
    /(?<![\d.])(\d{1,4}|an?|one)\s?(minute|min|hour|hr|h|day|d|week|wk|w|month|mo|year|yr|y)s?\s?ago/,
  );
  if (ago === null) return null;
  const count = Number(ago[1]);
  const unit = unitOf(ago[2] ?? '');
  return dayOf(now - (Number.isNaN(count) ? 1 : count) * unit);
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

function unitOf(name: string): number {
  if (name.startsWith('mi')) return unitMs.minute;
  if (name.startsWith('mo')) return 30 * unitMs.day;
  if (name.startsWith('h')) return unitMs.hour;
  if (name.startsWith('w')) return 7 * unitMs.day;
  return name.startsWith('y') ? 365 * unitMs.day : unitMs.day;
}

/** /2026/11/20/, /2026/nov/20/, /2026-11-20-title, /20261120/. */
function dateInPath(url: string): string | null {
  const path = url.replace(/[?#].*$/, '').toLowerCase();
  const found =
    path.match(/\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?!\d)/) ??
    path.match(/[/-]((?:19|20)\d\d)-(\d{2})-(\d{2})(?!\d)/) ??
    path.match(/[/-](20\d\d)(\d{2})(\d{2})(?!\d)/);
  if (found !== null) return validDay(found[1], found[2], found[3]);
  const named = path.match(/\/((?:19|20)\d\d)\/([a-z]{3,9})\/(\d{1,2})(?!\d)/);
  return named === null ? null : validDay(named[1], monthOf(named[2]), named[3]);
}

function validDay(year = '', month: string | null = '', day = ''): string | null {
  const iso = `${year}-${(month ?? '').padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  const isPlausible = year >= '1990' && year <= '2100';
  return isPlausible && Number.isFinite(time) && dayOf(time) === iso ? iso : null;
}

/** The number of a month by its name or abbreviation in English, German, Spanish, French, Italian or Portuguese. */
function monthOf(name = ''): string | null {
  const index = months.findIndex(starts => starts.some(start => name.startsWith(start)));
  return index === -1 ? null : String(index + 1);
}

const months: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen'],
  ['feb', 'fev'],
  ['mar', 'mrz', 'mae'],
  ['apr', 'abr', 'avr'],
  ['may', 'mai', 'mag'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'ago', 'aou'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott', 'out'],
  ['nov'],
  ['dec', 'dez', 'dic'],
];
