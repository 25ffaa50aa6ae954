import type { MarketEvent } from '../../council/event.js';
import type { EventQuery } from '../../council/market/event-choice.js';
import type { EventEnding } from '../../council/market/final-word.js';
import { kalshiEventId, kalshiTicker } from '../event-name.js';
import { type EventSource, type FoundEvents, type PricePoint, type PriceQuery } from '../event-source.js';
import type { VenueHttp } from '../http/venue-client.js';
import type { KalshiIndex } from './kalshi-index.js';
import type { KalshiKept } from './kalshi-kept.js';
import { createKalshiReads, type KalshiReads } from './kalshi-reads.js';
import { contradictsItself, kalshiWord } from './kalshi-words.js';
import { kalshiEventOf, parseKalshiEvent } from './parse-kalshi-event.js';

export interface KalshiOptions extends VenueHttp {
  /** The address of the API, for example `https://external-api.kalshi.com/trade-api/v2`. */
  readonly baseUrl: string;
  readonly index: KalshiIndex;
  readonly kept: KalshiKept;
}

/**
 * Kalshi's events from its public API. The index finds them, and one request reads a page of them. A search reads no
 * series, which would be a request for each: an event that it finds has the category that the event itself names, and no
 * fee, unless its series is kept. Nothing is sold from a search; `get` reads the series.
 */
export function createKalshiEventSource({ index, ...options }: KalshiOptions): EventSource {
  const reads = createKalshiReads(options);
  return {
    search: query => search(reads, index, query),
    get: eventId => getEvent(reads, eventId),
    readEnding: (eventId, marketIds) => readEnding(reads, eventId, marketIds ?? []),
    readPrices: query => readPrices(reads, query),
  };
}

/** Events that are gone, cannot be read or have another status since the index was filled are left out. */
async function search(reads: KalshiReads, index: KalshiIndex, query: EventQuery): Promise<FoundEvents> {
  const { tickers, total } = await index.search(query);
  if (tickers.length === 0) return { events: [], total };
  const found = new Map<string, MarketEvent>();
  for (const raw of await reads.events(tickers)) {
    const event = parseKalshiEvent(raw, reads.keptSeries(raw));
    if (event !== null) found.set(event.eventId, event);
  }
  const events = tickers.flatMap(ticker => found.get(kalshiEventId(ticker)) ?? []);
  return {
    events: events.filter(
      ({ markets, status }) => markets.length > 0 && (query.status === 'all' || status === query.status),
    ),
    total,
  };
}

async function getEvent(reads: KalshiReads, eventId: string): Promise<MarketEvent | null> {
  const event = await reads.event(kalshiTicker(eventId) ?? '');
  if (event === null || (event.markets ?? []).length === 0) return null;
  return kalshiEventOf(event, await reads.series(event));
}

/**
 * Kalshi moves markets that settled some months ago to its history, and leaves their event.
 *
 * @param marketIds the markets that the event is known to have
 */
async function readEnding(
  reads: KalshiReads,
  eventId: string,
  marketIds: readonly string[],
): Promise<EventEnding | null> {
  const event = await reads.event(kalshiTicker(eventId) ?? '');
  if (event === null) return null;
  const nested = event.markets ?? [];
  const tickers = new Set(nested.map(({ ticker }) => ticker));
  const isWhole = nested.length > 0 && marketIds.every(ticker => tickers.has(ticker));
  const older = isWhole ? [] : await reads.historicalMarkets(event);
  const markets = [...nested, ...older.filter(({ ticker }) => !tickers.has(ticker))];
  if (markets.length === 0) return null;
  return {
    event: kalshiEventOf({ ...event, markets }, await reads.series(event)),
    words: Object.fromEntries(markets.map(market => [market.ticker, kalshiWord(market)])),
    hasContradiction: markets.some(contradictsItself),
  };
}

/** By the hour for two weeks, and by the day for longer. A period without a trade has the price of the last one before. */
async function readPrices(reads: KalshiReads, query: PriceQuery): Promise<readonly PricePoint[] | null> {
  const fromSeconds = Math.floor(Date.parse(query.from) / 1_000);
  const toSeconds = Math.ceil(Date.parse(query.to) / 1_000);
  if (!(fromSeconds < toSeconds)) return [];
  const candlesticks = await reads.candlesticks(kalshiTicker(query.eventId) ?? '', query.marketId, {
    start_ts: String(fromSeconds),
    end_ts: String(toSeconds),
    period_interval: toSeconds - fromSeconds <= hourlySeconds ? '60' : '1440',
    include_latest_before_start: 'true',
  });
  if (candlesticks === null) return null;
  return candlesticks
    .flatMap(({ end_period_ts: end, price }) => {
      const yesPrice = price.close ?? price.previous;
      return yesPrice === null ? [] : [{ at: new Date(end * 1_000).toISOString(), yesPrice }];
    })
    .sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at));
}

const hourlySeconds = 14 * 86_400;
