import type { z } from 'zod';
import { MarketUnreadable } from '../event-source.js';
import { createVenueClient, type VenueHttp } from '../http/venue-client.js';
import { DayCache } from './day-cache.js';
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
  const client = createVenueClient({ ...options, name: 'Kalshi', throttledSeconds });
  const seriesKept = new DayCache<KalshiSeries | null>(options.now);
  const placesKept = new DayCache<Place>(options.now);

  const read = async <Answer>(
    [path, query]: readonly [path: string, query?: Readonly<Record<string, string>>],
    schema: z.ZodType<Answer>,
  ): Promise<Answer | null> => {
    const answer = await client.get(path, query);
    if (!answer.found) return null;
    const parsed = schema.safeParse(answer.body);
    if (!parsed.success) throw unreadable();
    return parsed.data;
  };

  const event = async (ticker: string): Promise<KalshiEvent | null> => {
    if (!validTicker.test(ticker)) return null;
    const answer = await read([`/events/${ticker}`, { with_nested_markets: 'true' }], kalshiEventAnswer);
    if (answer === null) return null;
    const parsed = kalshiEventSchema.safeParse(answer.event);
    if (!parsed.success) throw unreadable();
    placesKept.set(ticker, placeOf(parsed.data));
    return parsed.data;
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
      return raw.map(each => {
        const parsed = kalshiMarketSchema.safeParse(each);
        if (!parsed.success) throw unreadable();
        return parsed.data;
      });
    },
    async candlesticks(eventTicker, marketTicker, query) {
      if (!validTicker.test(marketTicker)) return null;
      let place = placesKept.get(eventTicker);
      if (place === undefined) {
        const found = await event(eventTicker);
        if (found === null) return null;
        place = placeOf(found);
      }
      const path = `/series/${place.series}/markets/${marketTicker}/candlesticks`;
      const answer =
        (await read([path, { ...query, ...place.shard }], kalshiCandlesticksAnswer)) ??
        (await read(historicalCandlesticks(marketTicker, query, place), kalshiCandlesticksAnswer));
      return answer?.candlesticks ?? null;
    },
  };
}

export interface KalshiReadsOptions extends VenueHttp {
  readonly baseUrl: string;
  readonly now: () => Date;
}

/** Where an event is read: its series, and the shard of the exchange as part of a query, if it is not the first. */
interface Place {
  readonly series: string;
  readonly shard: Readonly<Record<string, string>>;
}

function placeOf({ series_ticker: series, exchange_index: shard }: KalshiEvent): Place {
  return { series, shard: shard === null || shard === 0 ? {} : { exchange_index: String(shard) } };
}

/** The history knows no `include_latest_before_start`. */
function historicalCandlesticks(ticker: string, query: Readonly<Record<string, string>>, { shard }: Place) {
  const { include_latest_before_start: _, ...known } = query;
  return [`/historical/markets/${ticker}/candlesticks`, { ...known, ...shard }] as const;
}

/** Kalshi's 429 has no `Retry-After`: from 2 seconds, doubling. */
export function throttledSeconds(inRow: number): number {
  return Math.min(60, 2 * 2 ** (inRow - 1));
}

function unreadable(): MarketUnreadable {
  return new MarketUnreadable('Kalshi answered with data that cannot be read.');
}

/** A ticker becomes part of a path: `..` would select another resource. */
const validTicker = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const eventsMax = 200;
const marketsMax = 1_000;
