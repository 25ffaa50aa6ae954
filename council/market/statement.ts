/** A question or name with its values taken out, so that texts which differ in values only are equal. */
export interface MarketStatement {
  /** The text in lower case, on one line, with a slot such as `⟦number⟧` or `⟦day⟧` for each value. */
  readonly template: string;
  readonly kinds: readonly SlotKind[];
  /** One per slot: the number, or the date as the milliseconds of its first day. Null if a date has no certain year. */
  readonly values: readonly (number | null)[];
}

export type SlotKind = 'day' | 'month' | 'quarter' | 'number';

/**
 * Reads the numbers and dates of a text.
 * @param endsAt ISO 8601: the end of the market, near which a date without a year must lie
 */
export function readMarketStatement(text: string, endsAt: string | null): MarketStatement {
  const kinds: SlotKind[] = [];
  const values: (number | null)[] = [];
  const plain = text.toLowerCase().replace(/[⟦⟧]/g, '').replace(/\s+/g, ' ').trim();
  let template = '';
  let end = 0;
  for (const match of plain.matchAll(value)) {
    const read = readValue(match.groups ?? {}, endsAt);
    kinds.push(read.kind);
    values.push(read.value);
    template += `${plain.slice(end, match.index)}⟦${read.kind}⟧`;
    end = match.index + match[0].length;
  }
  template += plain.slice(end);
  return { template, kinds, values };
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const month =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const day = '\\d{1,2}(?!\\d)(?:st|nd|rd|th)?';

const value = new RegExp(
  [
    '(?<![\\w.,-])(?<iso>\\d{4}-\\d{2}-\\d{2})(?![\\w-])',
    `\\b(?<monthA>${month})\\.? (?<dayA>${day})(?:,? (?<yearA>\\d{4}))?(?!\\w)`,
    `(?<![\\w.,-])(?<dayB>${day}) (?<monthB>${month})\\b(?:,? (?<yearB>\\d{4})(?!\\w))?`,
    `\\b(?<monthC>${month})\\b(?:\\.?,? (?<yearC>\\d{4})(?!\\w))?`,
    '\\bq(?<quarter>[1-4]) (?<yearD>\\d{4})(?!\\w)',
    '(?<![\\w.,])(?<number>[-−]?\\d+(?:,\\d{3})*(?:\\.\\d+)?)(?<scale> ?(?:thousand|million|billion|trillion)|bn|tn|[kmbt])?(?![\\w])(?![.,]\\d)',
  ].join('|'),
  'g',
);

interface Value {
  readonly kind: SlotKind;
  readonly value: number | null;
}

type Groups = Readonly<Record<string, string | undefined>>;

function readValue(groups: Groups, endsAt: string | null): Value {
  const { iso, quarter, number, scale } = groups;
  if (number !== undefined) return { kind: 'number', value: readNumber(number, scale) };
  if (iso !== undefined) return { kind: 'day', value: timeOrNull(Date.parse(iso)) };
  if (quarter !== undefined) {
    return { kind: 'quarter', value: Date.UTC(Number(groups['yearD']), (Number(quarter) - 1) * 3) };
  }
  const monthName = groups['monthA'] ?? groups['monthB'] ?? groups['monthC'] ?? '';
  const dayText = groups['dayA'] ?? groups['dayB'];
  const year = groups['yearA'] ?? groups['yearB'] ?? groups['yearC'];
  const date = { month: months.indexOf(monthName.slice(0, 3)), day: Number.parseInt(dayText ?? '1', 10) };
  const time = year === undefined ? nearestTo(endsAt, date) : Date.UTC(Number(year), date.month, date.day);
  return { kind: dayText === undefined ? 'month' : 'day', value: time };
}

function readNumber(digits: string, scale: string | undefined): number {
  const number = Number(digits.replaceAll(',', '').replace('−', '-'));
  return number * (scales[(scale ?? '').trim()] ?? 1);
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
};

/** Markets end within days of the date that they name, or of the end of the month that they name. */
const nearDays = 45;
const dayMs = 86_400_000;

/** The date in the year in which it lies near the end of the market; null if it lies near in none. */
function nearestTo(endsAt: string | null, { month, day }: { month: number; day: number }): number | null {
  if (endsAt === null) return null;
  const end = Date.parse(endsAt);
  const year = new Date(end).getUTCFullYear();
  const times = [year - 1, year, year + 1].map(each => Date.UTC(each, month, day));
  return times.find(time => Math.abs(time - end) <= nearDays * dayMs) ?? null;
}

function timeOrNull(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}
