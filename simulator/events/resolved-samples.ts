import { z } from 'zod';
import { seededRandom } from '../../council/random.js';
import { buildSampleEvent, type SampleMarket, sampleEventShape, slugOf } from './build-sample-event.js';
import resolvedEvents from './resolved-events.json' with { type: 'json' };

/** A sample event that has resolved, with how it traded at the moments at which the sample record forecasts it. */
interface ResolvedSample {
  /** As it ended, in Gamma's format. The outcome is nowhere else. */
  readonly ended: unknown;
  /** Oldest first; all of them before the end of trading. */
  readonly moments: readonly {
    /** ISO 8601, UTC. */
    readonly at: string;
    /** The event as it traded then, in Gamma's format. */
    readonly event: unknown;
  }[];
}

/** Cents for a share of YES: the middle of a book of two cents; a whole book; or null for an empty book without trades. */
const quoteShape = z.union([z.number(), z.tuple([z.number(), z.number()]), z.null()]);

const endings = ['yes', 'no', 'fifty_fifty', 'void'] as const;

/** Events of one kind. Their texts hold `{words}` of each event, and those of a market its `{name}`. */
const seriesShape = z.strictObject({
  about: z.string(),
  ...sampleEventShape.pick({ id: true, title: true, rules: true, tag: true, exclusive: true, feeRate: true })
    .shape,
  /** The time of day. */
  endsAt: z.string(),
  /** How many days before its end each moment of an event is, if the event has a quote for it. */
  daysBefore: z.array(z.number()),
  /** By the name of the market; `*` for any other. */
  markets: z.record(
    z.string(),
    z.strictObject({
      key: z.string().optional(),
      title: z.string().optional(),
      question: z.string(),
      outcomes: z.tuple([z.string(), z.string()]).optional(),
    }),
  ),
  events: z.array(
    z.strictObject({
      words: z.record(z.string(), z.string()),
      /** Dollars, in the order of the markets; unset, invented from the ids of the markets. */
      volumes: z.array(z.number()).optional(),
      /** How each market ended, and its quote at each moment. A market without quotes was a reserved slot. */
      markets: z.record(z.string(), z.tuple([z.enum(endings)], quoteShape)),
    }),
  ),
});

type Series = z.output<typeof seriesShape>;

/** Says in every report and on every page of the event that its past is invented. */
const label =
  'It belongs to the sample record: its prices and its outcome are invented, and so is the date of every report on it.';

const dayMs = 24 * 3_600_000;

/** All sample events that have resolved with a past: the events of the sample record. */
export const resolvedSamples: readonly ResolvedSample[] = z
  .array(seriesShape)
  .parse(resolvedEvents)
  .flatMap(series => series.events.map(event => resolvedSample(series, event)));

function resolvedSample(
  series: Series,
  { words, volumes, markets }: Series['events'][number],
): ResolvedSample {
  const id = slugOf(fill(series.id, words));
  const named = Object.entries(markets).map(([name, [ending, ...quotes]], index) => {
    const market = marketNamed(series, name, words);
    const volume = volumes?.[index] ?? Math.round(2_000 + 300_000 * seededRandom(`${id}-${market.key}`)());
    return { ending, quotes, market: { ...market, volume } };
  });
  const endDate = `${words['day']}T${series.endsAt}`;
  const event = {
    id,
    title: fill(series.title, words),
    rules: `${fill(series.rules, words)}\n\n${label}`,
    tag: series.tag,
    startDate: daysEarlier(endDate, Math.max(...series.daysBefore) + openDaysBefore(id)),
    endDate,
    exclusive: series.exclusive,
    openEnded: named.some(({ quotes }) => quotes.length === 0),
    feeRate: series.feeRate,
  };
  const moments = Math.max(...named.map(({ quotes }) => quotes.length));
  return {
    ended: buildSampleEvent(
      { ...event, markets: named.map(({ market, ending }) => ({ ...market, ...endedAs(ending) })) },
      { closed: true },
    ),
    moments: series.daysBefore.slice(0, moments).map((days, moment) => ({
      at: daysEarlier(endDate, days),
      event: buildSampleEvent({
        ...event,
        markets: named.map(({ market, quotes }) => ({ ...market, ...tradedAt(market, quotes, moment) })),
      }),
    })),
  };
}

function daysEarlier(time: string, days: number): string {
  return new Date(Date.parse(time) - days * dayMs).toISOString();
}

/** How many days the event had been open at its first moment: 10 to 100. */
function openDaysBefore(id: string): number {
  return 10 + Math.floor(91 * seededRandom(`${id}-opening`)());
}

function marketNamed({ markets }: Series, name: string, eventWords: Readonly<Record<string, string>>) {
  const template = markets[name] ?? markets['*'];
  if (template === undefined) throw new Error(`There is no text for the market ${name}.`);
  const words = { ...eventWords, name };
  const { key = name, title, question, outcomes } = template;
  return {
    key: slugOf(fill(key, words)),
    question: fill(question, words),
    title: title === undefined ? undefined : fill(title, words),
    outcomes: outcomes === undefined ? undefined : pairOf(outcomes, words),
  };
}

function pairOf(
  [first, second]: [string, string],
  words: Readonly<Record<string, string>>,
): [string, string] {
  return [fill(first, words), fill(second, words)];
}

function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = words[word];
    if (value === undefined) throw new Error(`There is no ${word} for: ${text}`);
    return value;
  });
}

/** A market that is void pays out nothing, and its oracle gives no answer. */
function endedAs(ending: (typeof endings)[number]): Pick<SampleMarket, 'lastTrade' | 'final' | 'oracle'> {
  const paid = { yes: '1', no: '0', fifty_fifty: '0.5', void: '0' }[ending];
  return {
    lastTrade: Number(paid),
    final: [paid, ending === 'no' ? '1' : ending === 'yes' ? '0' : paid],
    oracle: ending === 'void' ? undefined : 'resolved',
  };
}

function tradedAt(
  { title = '', question = '' }: Pick<SampleMarket, 'title' | 'question'>,
  quotes: readonly z.output<typeof quoteShape>[],
  moment: number,
): Partial<SampleMarket> {
  if (quotes.length === 0) {
    const slot = 'Person A';
    return { title: slot, question: question.replace(title, slot), volume: 0, reserved: true };
  }
  const quote = quotes[moment] ?? null;
  if (quote === null) return { volume: 0, book: [null, null] };
  const [bid, ask] = typeof quote === 'number' ? [quote - 1, quote + 1] : quote;
  return { book: [bid / 100, ask / 100], lastTrade: Math.round((bid + ask) / 2) / 100 };
}
