import { z } from 'zod';
import { MarketUnreadable } from '../event-source.js';
import { createVenueClient, type VenueHttp } from '../http/venue-client.js';
import { tickerPattern } from '../kalshi/kalshi-schema.js';
import type { ProbedVenue } from './compare-fields.js';

/** The addresses of a venue's APIs. Kalshi has one for all. */
export interface ProbeAddresses {
  readonly events: string;
  readonly resolutions: string;
  readonly prices: string;
}

export type RawObject = Readonly<Record<string, unknown>>;

/** The answers that are compared, as the venue sends them. All throw MarketUnavailable. */
interface ProbeReads {
  /** A few open events with their markets. */
  events(): Promise<readonly RawObject[]>;
  /** The series of the first event. */
  series(events: readonly RawObject[]): Promise<readonly RawObject[]>;
  resolutions(markets: readonly RawObject[]): Promise<readonly RawObject[]>;
  /** Some points of the first market that has any; the fields within a price are named `price.NAME`. */
  prices(events: readonly RawObject[]): Promise<readonly RawObject[]>;
}

export function createProbeReads(
  venue: ProbedVenue,
  addresses: ProbeAddresses,
  http: VenueHttp & { readonly now: () => Date },
): ProbeReads {
  const name = venue === 'kalshi' ? 'Kalshi' : 'Polymarket';
  const read = async (baseUrl: string, [path, query]: Request, list: z.ZodType<readonly RawObject[]>) => {
    const client = createVenueClient({ ...http, name, baseUrl, throttledSeconds: () => pauseSeconds });
    const answer = await client.get(path, query);
    const found = list.safeParse(answer.found ? answer.body : null);
    if (!found.success) throw new MarketUnreadable(`${name} answered with a list that cannot be read.`);
    return found.data;
  };
  const limit = String(eventsCompared);
  if (venue === 'kalshi') {
    const open = { status: 'open', with_nested_markets: 'true', limit };
    return {
      events: () => read(addresses.events, ['/events', open], listIn('events')),
      async series([event]) {
        const ticker = tickerOf(event?.['series_ticker']);
        return ticker === null ? [] : read(addresses.events, [`/series/${ticker}`, {}], oneIn('series'));
      },
      resolutions: async () => [],
      async prices(events) {
        const request = candlesticksOf(events, http.now());
        const found = request === null ? [] : await read(addresses.prices, request, listIn('candlesticks'));
        return found.slice(-pricesCompared).map(withPriceFields);
      },
    };
  }
  const open = { closed: 'false', order: 'volume', ascending: 'false', limit };
  return {
    events: () => read(addresses.events, ['/events', open], rawObjects),
    series: async () => [],
    async resolutions(markets) {
      const conditions = markets.flatMap(market => textOf(market['conditionId']) ?? []);
      const condition = conditions.slice(0, conditionsMax).join(',');
      return condition === ''
        ? []
        : read(addresses.resolutions, ['/v2/resolutions', { condition }], listIn('data'));
    },
    async prices(events) {
      const [market] = marketsOf(events).flatMap(each => tokenOf(each['clobTokenIds']) ?? []);
      if (market === undefined) return [];
      const query = { market, interval: 'max', fidelity: '720' };
      const found = await read(addresses.prices, ['/prices-history', query], listIn('history'));
      return found.slice(-pricesCompared);
    },
  };
}

type Request = readonly [path: string, query: Readonly<Record<string, string>>];

const pauseSeconds = 10;
const eventsCompared = 5;
const pricesCompared = 20;
/** Polymarket answers about no more at a time. */
const conditionsMax = 20;

export const rawObjects = z.array(z.record(z.string(), z.unknown()));

const listIn = (field: string) =>
  z
    .record(z.string(), z.unknown())
    .transform(answer => answer[field])
    .pipe(rawObjects);

const oneIn = (field: string) =>
  z
    .record(z.string(), z.unknown())
    .transform(answer => [answer[field]])
    .pipe(rawObjects);

const marketsOf = (events: readonly RawObject[]) =>
  events.flatMap(({ markets }) => rawObjects.safeParse(markets).data ?? []);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The first of a list of tokens, which is text of JSON. */
function tokenOf(value: unknown): string | null {
  try {
    const tokens = z.array(z.string()).safeParse(JSON.parse(textOf(value) ?? '[]'));
    return tokens.data?.[0] ?? null;
  } catch {
    return null;
  }
}

/** Null without a ticker that can be part of a path. */
function tickerOf(value: unknown): string | null {
  const ticker = textOf(value);
  return ticker !== null && tickerPattern.test(ticker) ? ticker : null;
}

const daysRead = 7;

/** A week of days of the first market. Null without a series and a market. */
function candlesticksOf(events: readonly RawObject[], now: Date): Request | null {
  const series = tickerOf(events[0]?.['series_ticker']);
  const market = tickerOf(marketsOf(events.slice(0, 1))[0]?.['ticker']);
  if (series === null || market === null) return null;
  const end = Math.ceil(now.getTime() / 1_000);
  const span = { start_ts: String(end - daysRead * 86_400), end_ts: String(end), period_interval: '1440' };
  return [`/series/${series}/markets/${market}/candlesticks`, span];
}

function withPriceFields(candlestick: RawObject): RawObject {
  const price = z.record(z.string(), z.unknown()).safeParse(candlestick['price']).data ?? {};
  const within = Object.entries(price).map(([field, value]) => [`price.${field}`, value] as const);
  return { ...candlestick, ...Object.fromEntries(within) };
}
