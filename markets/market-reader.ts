import type { MarketEvent, Venue } from '../council/event.js';
import type { EventQuery } from '../council/market/event-choice.js';
import { withTimeout } from '../platform/net/with-timeout.js';
import { parseEventName } from './event-name.js';
import { type FoundEvents, MarketUnavailable, type PricePoint, type PriceQuery } from './event-source.js';
import { type Admit, type FindPurpose, live, type Reading, type VenueReader } from './venue-reader.js';

/** How the API reads all configured venues. Ids and slugs are those that callers send. */
export interface MarketReader {
  readonly venues: readonly Venue[];
  /**
   * Searches one venue, or all of them: then the events of the venues take turns, each venue's in its own order, and
   * those that did not answer in time are named.
   * @throws MarketUnavailable if no venue answers
   */
  search(query: EventQuery, venue: Venue | null): Promise<Reading<FoundPage>>;
  /** See {@link VenueReader}. The value is null if no configured venue knows the event. */
  find(idOrSlug: string, purpose: FindPurpose, admit?: Admit): Promise<Reading<MarketEvent | null>>;
  read(idOrSlug: string): Promise<MarketEvent | null>;
  readPrices(query: PriceQuery): Promise<Reading<readonly PricePoint[] | null>>;
}

export interface FoundPage extends FoundEvents {
  /** The venues that could not be read. */
  readonly unavailable: readonly Venue[];
}

/** How long a search of several venues waits for the slowest. */
const searchPatienceMs = 3_000;

export function createMarketReader(readers: ReadonlyMap<Venue, VenueReader>): MarketReader {
  const venues = [...readers.keys()];
  const at = (text: string) => {
    const named = parseEventName(text, venues);
    const reader = named === null ? undefined : readers.get(named.venue);
    return named === null || reader === undefined ? null : { name: named.name, reader };
  };
  return {
    venues,
    async search(query, venue) {
      const asked = venues.filter(each => venue === null || each === venue);
      const only = asked.length === 1 ? readers.get(asked[0] ?? 'sample') : undefined;
      if (only === undefined) return searchSeveral(readers, asked, query);
      const { value, ...reading } = await only.search(query);
      return { ...reading, value: { ...value, unavailable: [] } };
    },
    async find(idOrSlug, purpose, admit) {
      const found = at(idOrSlug);
      return found === null ? live(null) : found.reader.find(found.name, purpose, admit);
    },
    async read(idOrSlug) {
      const found = at(idOrSlug);
      return found === null ? null : found.reader.read(found.name);
    },
    async readPrices(query) {
      const found = at(query.eventId);
      return found === null ? live(null) : found.reader.readPrices({ ...query, eventId: found.name });
    },
  };
}

async function searchSeveral(
  readers: ReadonlyMap<Venue, VenueReader>,
  asked: readonly Venue[],
  query: EventQuery,
): Promise<Reading<FoundPage>> {
  const results = await Promise.allSettled(
    asked.map((venue, index) => {
      const search = readers.get(venue)?.search({ ...query, ...turnsOf(index, asked.length, query) });
      return withTimeout(searchPatienceMs, search ?? Promise.reject(tooSlow()), tooSlow);
    }),
  );
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof MarketUnavailable)) throw result.reason;
  }
  const answers = results.map(result => (result.status === 'fulfilled' ? result.value : null));
  const answered = answers.filter(answer => answer !== null);
  if (answered.length === 0) throw soonestOf(results);
  const totals = answers.map(answer => answer?.value.total ?? null);
  return {
    value: {
      events: takingTurns(
        answers.map(answer => answer?.value.events ?? []),
        query,
      ),
      total: totals.includes(null) ? null : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
      unavailable: asked.filter((_, index) => answers[index] === null),
    },
    ageSeconds: Math.max(...answered.map(({ ageSeconds }) => ageSeconds)),
    isLive: answered.every(({ isLive }) => isLive),
  };
}

/**
 * Which of its own results a venue contributes to a page, if the venues take turns: those at the places `index`,
 * `index + venues`, … of the whole list. Pages therefore never overlap, and one has gaps where a venue has no more.
 */
function turnsOf(index: number, venues: number, { skip, limit }: EventQuery) {
  const before = (place: number) => Math.max(0, Math.ceil((place - index) / venues));
  return { skip: before(skip), limit: before(skip + limit) - before(skip) };
}

/** The events of each venue at the places of {@link turnsOf}: a page may begin with any venue's turn. */
function takingTurns(lists: readonly (readonly MarketEvent[])[], query: EventQuery): readonly MarketEvent[] {
  const placed = lists.flatMap((events, index) => {
    const { skip } = turnsOf(index, lists.length, query);
    return events.map((event, at) => ({ event, place: index + lists.length * (skip + at) }));
  });
  return placed.sort((a, b) => a.place - b.place).map(({ event }) => event);
}

function soonestOf(results: readonly PromiseSettledResult<unknown>[]): MarketUnavailable {
  const failures = results.flatMap(result =>
    result.status === 'rejected' && result.reason instanceof MarketUnavailable ? result.reason : [],
  );
  return failures.sort((a, b) => a.retryAfterSeconds - b.retryAfterSeconds)[0] ?? tooSlow();
}

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');
