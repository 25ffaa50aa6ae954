import { z } from 'zod';
import { visibleLine } from '../../council/text.js';
import { MarketUnreadable } from '../event-source.js';
import { createVenueClient, type VenueHttp } from '../http/venue-client.js';
import { throttledSeconds } from './kalshi-reads.js';

/** What the search index keeps of an event. */
export interface ListedEvent {
  readonly ticker: string;
  readonly title: string;
  readonly subTitle: string;
  readonly seriesTicker: string;
  readonly category: string;
  /** Contracts, with two decimals. */
  readonly volumeContracts: string;
  /** When the last of its markets is expected to be decided; null if no market says it. */
  readonly closesAt: Date | null;
  readonly status: 'open' | 'closed';
}

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

const time = z
  .string()
  .refine(text => !Number.isNaN(Date.parse(text)))
  .nullish()
  .catch(null);
const line = z.string().transform(visibleLine);
const ticker = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/);

/** A count of contracts is a decimal string. A number is refused: earlier versions of the API counted differently. */
const marketSchema = z.object({
  status: z.string(),
  is_provisional: z.boolean().nullish().catch(null),
  volume_fp: z.string().regex(/^\d{1,15}(?:\.\d{1,6})?$/),
  occurrence_datetime: time,
  expected_expiration_time: time,
  close_time: time,
});

const eventSchema = z.object({
  event_ticker: ticker,
  series_ticker: ticker,
  title: line.pipe(z.string().min(1)),
  sub_title: line.nullish().catch(null),
  category: line.nullish().catch(null),
  markets: z.array(marketSchema).nullish(),
});

const pageSchema = z.object({ events: z.array(z.unknown()), cursor: z.string().nullish() });

function isUnopened({ markets }: z.infer<typeof eventSchema>): boolean {
  return (markets ?? []).length > 0 && (markets ?? []).every(isPlaceholder);
}

function isPlaceholder(market: z.infer<typeof marketSchema>): boolean {
  return market.status === 'initialized' || market.is_provisional === true;
}

function listed(event: z.infer<typeof eventSchema>): ListedEvent {
  const markets = event.markets ?? [];
  const endsMs = markets.flatMap(market => {
    // `close_time` is often a buffer of two weeks.
    const end = market.occurrence_datetime ?? market.expected_expiration_time ?? market.close_time;
    return end === null || end === undefined ? [] : Date.parse(end);
  });
  // In hundredths, the smallest part of a contract, so that no sum has a rest.
  const hundredths = markets.reduce((sum, { volume_fp }) => sum + Math.round(Number(volume_fp) * 100), 0);
  return {
    ticker: event.event_ticker,
    title: event.title,
    subTitle: event.sub_title ?? '',
    seriesTicker: event.series_ticker,
    category: event.category ?? '',
    volumeContracts: (hundredths / 100).toFixed(2),
    closesAt: endsMs.length === 0 ? null : new Date(Math.max(...endsMs)),
    status: markets.some(market => market.status === 'active' && !isPlaceholder(market)) ? 'open' : 'closed',
  };
}
