import type { z } from 'zod';
import { MarketUnreadable } from '../event-source.js';
import { createVenueClient, type VenueHttp } from '../http/venue-client.js';
import type { KalshiKept, KalshiPlace } from './kalshi-kept.js';
import {
  type KalshiEvent,
  type KalshiMarket,
  type KalshiSeries,
  kalshiCandlesticksAnswer,
  kalshiEventAnswer,
  kalshiEventSchema,
  kalshiEventsAnswer,
  kalshiMarketSchema,
  kalshiMarketsAnswer,
  kalshiSeriesAnswer,
  tickerPattern,
} from './kalshi-schema.js';

type Candlesticks = z.infer<typeof kalshiCandlesticksAnswer>['candlesticks'];

/** The requests to Kalshi's API. All throw MarketUnavailable if it cannot be read. */
export interface KalshiReads {
  /** The events with these tickers, in any order. Each is read separately, so that one of a new shape hides no other. */
  events(tickers: readonly string[]): Promise<readonly unknown[]>;
  /** Null if Kalshi does not know the event. */
  event(ticker: string): Promise<KalshiEvent | null>;
  /** The series of an event, at most a day old. Null if Kalshi does not know it. */
  series(event: KalshiEvent): Promise<KalshiSeries | null>;
  /** The series of an unread event if it is kept; sends no request. */
  keptSeries(raw: unknown): KalshiSeries | null;
  /** The markets of an event that settled before the cutoff of the live data. */
  historicalMarkets(event: KalshiEvent): Promise<readonly KalshiMarket[]>;
  /** From the history, if the market has moved there. Null if Kalshi does not know the event or the market. */
  candlesticks(
    eventTicker: string,
    marketTicker: string,
    query: Readonly<Record<string, string>>,
  ): Promise<Candlesticks | null>;
}

export function createKalshiReads(options: KalshiReadsOptions): KalshiReads {
  const read = createRead(options);
  const { series: seriesKept, places: placesKept } = options.kept;

  const event = async (ticker: string): Promise<KalshiEvent | null> => {
    if (!tickerPattern.test(ticker)) return null;
    const answer = await read([`/events/${ticker}`, { with_nested_markets: 'true' }], kalshiEventAnswer);
    if (answer === null) return null;
    const found = parse(kalshiEventSchema, answer.event);
    placesKept.set(ticker, placeOf(found));
    return found;
  };

  const placeOfEvent = async (ticker: string): Promise<KalshiPlace | null> => {
    const found = await event(ticker);
    return found === null ? null : placeOf(found);
  };

  return {
    event,
    async events(tickers) {
      const query = { tickers: tickers.join(','), with_nested_markets: 'true', limit: String(eventsMax) };
      return (await read(['/events', query], kalshiEventsAnswer))?.events ?? [];
    },
    async series(of) {
      const { series, shard } = placeOf(of);
      const kept = seriesKept.get(series);
      if (kept !== undefined) return kept;
      const answer = await read([`/series/${series}`, shard], kalshiSeriesAnswer);
      seriesKept.set(series, answer?.series ?? null);
      return answer?.series ?? null;
    },
    keptSeries(raw) {
      const parsed = kalshiEventSchema.safeParse(raw);
      return parsed.success ? (seriesKept.get(parsed.data.series_ticker) ?? null) : null;
    },
    async historicalMarkets(of) {
      const query = { event_ticker: of.event_ticker, limit: String(marketsMax), ...placeOf(of).shard };
      const raw = (await read(['/historical/markets', query], kalshiMarketsAnswer))?.markets ?? [];
      return raw.map(each => parse(kalshiMarketSchema, each));
    },
    async candlesticks(eventTicker, marketTicker, query) {
      if (!tickerPattern.test(marketTicker)) return null;
      const place = placesKept.get(eventTicker) ?? (await placeOfEvent(eventTicker));
      if (place === null) return null;
      const path = `/series/${place.series}/markets/${marketTicker}/candlesticks`;
      const candles = async (at: Path) => (await read(at, kalshiCandlesticksAnswer))?.candlesticks ?? null;
      const live = await candles([path, { ...query, ...place.shard }]);
      return live ?? candles(historicalCandlesticks(marketTicker, query, place));
    },
  };
}

export interface KalshiReadsOptions extends VenueHttp {
  readonly baseUrl: string;
  readonly kept: KalshiKept;
}

function placeOf({ series_ticker: series, exchange_index: shard }: KalshiEvent): KalshiPlace {
  return { series, shard: shard === null || shard === 0 ? {} : { exchange_index: String(shard) } };
}

/** The history knows no `include_latest_before_start`. */
function historicalCandlesticks(
  ticker: string,
  query: Readonly<Record<string, string>>,
  { shard }: KalshiPlace,
) {
  const { include_latest_before_start: _, ...known } = query;
  return [`/historical/markets/${ticker}/candlesticks`, { ...known, ...shard }] as const;
}

/** Kalshi's 429 has no `Retry-After`: from 2 seconds, doubling. */
export function throttledSeconds(inRow: number): number {
  return Math.min(60, 2 * 2 ** (inRow - 1));
}

type Path = readonly [path: string, query?: Readonly<Record<string, string>>];

/** One request. Null if Kalshi does not know what is asked for. */
function createRead(options: KalshiReadsOptions) {
  const client = createVenueClient({ ...options, name: 'Kalshi', throttledSeconds });
  return async <Answer>([path, query]: Path, schema: z.ZodType<Answer>): Promise<Answer | null> => {
    const answer = await client.get(path, query);
    return answer.found ? parse(schema, answer.body) : null;
  };
}

function parse<Value>(schema: z.ZodType<Value>, raw: unknown): Value {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new MarketUnreadable('Kalshi answered with data that cannot be read.');
  return parsed.data;
}

const eventsMax = 200;
const marketsMax = 1_000;
