import { seededRandom } from '../../../council/random.js';
import { buildSampleEvent, type SampleEvent, type SampleMarket } from '../build-sample-event.js';

/** A sample event that has resolved, with how it traded at the moments at which the sample record forecasts it. */
export interface ResolvedSample {
  /** As it ended, in Gamma's format. */
  readonly ended: unknown;
  /** Oldest first; all of them before the end of trading. */
  readonly moments: readonly Moment[];
}

export interface Moment {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The event as it traded then, in Gamma's format. */
  readonly event: unknown;
}

export interface ResolvedSpec extends Omit<SampleEvent, 'closed' | 'markets'> {
  /** How many days before `endDate` each moment is, in the order of the markets' quotes. */
  readonly daysBefore: readonly number[];
  readonly markets: readonly ResolvedMarket[];
}

export interface ResolvedMarket
  extends Pick<SampleMarket, 'key' | 'title' | 'question' | 'outcomes' | 'other'> {
  /** The quote at each moment. */
  readonly quotes: readonly Quote[];
  readonly ended: Ended;
  /** Dollars; unset, invented from the market's id. */
  readonly volume?: number;
  /** The name of the reserved slot that this market was until the event ended. */
  readonly reservedAs?: string;
}

/** Cents for a share of YES: the middle of a book of two cents; a whole book; or null for an empty book without trades. */
export type Quote = number | readonly [bid: number, ask: number] | null;

export type Ended = 'yes' | 'no' | 'fifty_fifty' | 'void';

/** Builds the event as it ended and as it traded before. The outcome is in the former only. */
export function resolvedSample(spec: ResolvedSpec): ResolvedSample {
  const event = { ...spec, rules: `${spec.rules}\n\n${label}` };
  return {
    ended: buildSampleEvent({
      ...event,
      closed: true,
      markets: spec.markets.map(market => ended(spec, market)),
    }),
    moments: spec.daysBefore.map((days, index) => ({
      at: new Date(Date.parse(spec.endDate) - days * dayMs).toISOString(),
      event: buildSampleEvent({ ...event, markets: spec.markets.map(market => traded(spec, market, index)) }),
    })),
  };
}

/** Says in every report and on every page of the event that its past is invented. */
const label =
  'It belongs to the sample record: its prices and its outcome are invented, and so is the date of every report on it.';

const dayMs = 24 * 3_600_000;

/** What `id`s and keys are made of. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The moments of an event that has a quote for each: by default three weeks before its end, and four days. */
export function momentsOf(quotes: readonly unknown[], days: readonly number[] = [21, 4]): readonly number[] {
  return days.slice(0, quotes.length);
}

function ended(spec: ResolvedSpec, market: ResolvedMarket): SampleMarket {
  const final = finalPrices[market.ended];
  return {
    ...named(spec, market),
    lastTrade: Number(final[0]),
    final,
    ...(market.ended === 'void' ? {} : { oracle: 'resolved' }),
  };
}

/** A market that is void pays out nothing, and its oracle gives no answer. */
const finalPrices: Readonly<Record<Ended, readonly [string, string]>> = {
  yes: ['1', '0'],
  no: ['0', '1'],
  fifty_fifty: ['0.5', '0.5'],
  void: ['0', '0'],
};

function traded(spec: ResolvedSpec, market: ResolvedMarket, moment: number): SampleMarket {
  const { reservedAs } = market;
  const name = named(spec, market);
  if (reservedAs !== undefined) {
    const question = market.question.replace(market.title ?? '', reservedAs);
    return { ...name, title: reservedAs, question, volume: 0, reserved: true };
  }
  const quote = market.quotes[moment] ?? null;
  if (quote === null) return { ...name, volume: 0, book: [null, null] };
  const [bid, ask] = typeof quote === 'number' ? [quote - 1, quote + 1] : quote;
  return { ...name, book: [bid / 100, ask / 100], lastTrade: Math.round((bid + ask) / 2) / 100 };
}

function named({ id }: ResolvedSpec, { key, title, question, outcomes, other, volume }: ResolvedMarket) {
  return {
    key,
    question,
    volume: volume ?? Math.round(2_000 + 300_000 * seededRandom(`${id}-${key}`)()),
    ...(title === undefined ? {} : { title }),
    ...(outcomes === undefined ? {} : { outcomes }),
    ...(other === undefined ? {} : { other }),
  };
}
