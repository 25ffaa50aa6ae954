import { z } from 'zod';
import type { ListedEvent } from '../../council/market/event-choice.js';
import { MarketUnreadable } from '../event-source.js';
import { createVenueClient, type VenueHttp } from '../http/venue-client.js';
import { throttledSeconds } from './kalshi-reads.js';
import { kalshiEventSchema, kalshiMarketSchema } from './kalshi-schema.js';
import { isKalshiPlaceholder, kalshiExpectedAt, sumOfContracts } from './parse-kalshi-market.js';

export interface EventListPage {
  readonly events: readonly ListedEvent[];
  /** Events of a shape that is not known. */
  readonly unreadable: number;
  /** Null on the last page. */
  readonly cursor: string | null;
}

export interface EventListQuery {
  /** Null for the first page. */
  readonly cursor: string | null;
  /** Only events that changed after this time, with any status; null for all open events. */
  readonly changedSince: Date | null;
}

/** Reads one page of at most 200 events, in the order of the venue. */
export interface KalshiEventList {
  /** @throws MarketUnavailable */
  read(query: EventListQuery): Promise<EventListPage>;
}

/** Events that do not trade yet are left out, and so are provisional ones, which may vanish and on which nothing is sold. */
export function createKalshiEventList(options: VenueHttp & { readonly baseUrl: string }): KalshiEventList {
  const client = createVenueClient({ ...options, name: 'Kalshi', throttledSeconds });
  return {
    async read({ cursor, changedSince }) {
      const answer = await client.get('/events', {
        limit: String(pageSize),
        with_nested_markets: 'true',
        ...(changedSince === null
          ? { status: 'open' }
          : { min_updated_ts: String(Math.floor(changedSince.getTime() / 1_000)) }),
        ...(cursor === null ? {} : { cursor }),
      });
      const page = pageSchema.safeParse(answer.found ? answer.body : null);
      if (!page.success) throw new MarketUnreadable('Kalshi answered with a list that cannot be read.');
      const read = page.data.events.map(event => eventSchema.safeParse(event));
      return {
        events: read.flatMap(({ data }) => (data === undefined || isUnopened(data) ? [] : listed(data))),
        unreadable: read.filter(({ success }) => !success).length,
        cursor: page.data.cursor || null,
      };
    },
  };
}

/** The largest page that the API has. */
const pageSize = 200;

/** An event is also found if a field that only its forecast needs cannot be read. */
const marketSchema = kalshiMarketSchema.pick({
  status: true,
  is_provisional: true,
  volume_fp: true,
  occurrence_datetime: true,
  expected_expiration_time: true,
  close_time: true,
});

const eventSchema = kalshiEventSchema
  .pick({ event_ticker: true, series_ticker: true, title: true, sub_title: true, category: true })
  .extend({ markets: z.array(marketSchema).nullish() });

const pageSchema = z.object({ events: z.array(z.unknown()), cursor: z.string().nullish() });

function isUnopened({ markets }: z.infer<typeof eventSchema>): boolean {
  return (markets ?? []).length > 0 && (markets ?? []).every(isKalshiPlaceholder);
}

function listed(event: z.infer<typeof eventSchema>): ListedEvent {
  const markets = event.markets ?? [];
  const closesAt = kalshiExpectedAt(...markets);
  return {
    ticker: event.event_ticker,
    title: event.title,
    subTitle: event.sub_title ?? '',
    seriesTicker: event.series_ticker,
    category: event.category ?? '',
    volumeContracts: sumOfContracts(markets).toFixed(2),
    closesAt: closesAt === null ? null : new Date(closesAt),
    status: markets.some(market => market.status === 'active' && !isKalshiPlaceholder(market))
      ? 'open'
      : 'closed',
  };
}
