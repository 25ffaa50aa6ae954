import type { EventQuery } from '../../council/market/event-choice.js';
import type { EventSource, PriceQuery } from '../event-source.js';
import type { VenueReader } from '../venue-reader.js';
import { SharedAnswers, type SharedAnswersOptions } from './shared-answers.js';

/** A source for each purpose, because each has its part of the budget. */
export interface SharedSources {
  readonly browse: EventSource;
  readonly check: EventSource;
  readonly purchase: EventSource;
}

/**
 * Answers readers with what the venue said at most 30 seconds ago, to any caller of any process that shares the store.
 * A purchase always reads the venue itself.
 * @param venue tells the questions to one venue from those to another, because all share the store
 */
export function createSharedReader(
  venue: string,
  sources: SharedSources,
  options: SharedAnswersOptions,
): VenueReader {
  const answers = new SharedAnswers(options);
  const shape = `${venue} ${shapeVersion}`;
  return {
    search: query =>
      answers.ask({ text: `${shape} ${searchText(query)}`, purpose: 'browse', staleWillDo: true }, () =>
        sources.browse.search({ ...query, search: normalized(query.search) }),
      ),
    find: (idOrSlug, purpose, admit) =>
      answers.ask(
        { text: `${shape} event ${idOrSlug}`, purpose, staleWillDo: purpose === 'browse', admit },
        () => sources[purpose].get(idOrSlug),
      ),
    read: idOrSlug => sources.purchase.get(idOrSlug),
    readPrices: query =>
      answers.ask({ text: `${shape} ${pricesText(query)}`, purpose: 'browse', staleWillDo: true }, () =>
        sources.browse.readPrices(query),
      ),
  };
}

/** Changes with the shape of what is kept, so that two versions of the service never read each other's answers. */
const shapeVersion = 'events/2';

function searchText({ search, category, sort, status, skip, limit }: EventQuery): string {
  return `search ${status} ${category ?? ''} ${sort} ${skip} ${limit} ${normalized(search)}`;
}

function pricesText({ eventId, marketId, from, to }: PriceQuery): string {
  return `prices ${eventId} ${marketId} ${from} ${to}`;
}

/** The market ignores letter case, and what stands between two words. */
function normalized(search: string): string {
  return search.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
