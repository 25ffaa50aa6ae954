import type { EventQuery, EventSource } from '../event-source.js';
import type { MarketReader } from '../market-reader.js';
import { SharedAnswers, type SharedAnswersOptions } from './shared-answers.js';

/** A source for each purpose, because each has its part of the budget. */
export interface SharedSources {
  readonly browse: EventSource;
  readonly check: EventSource;
  readonly purchase: EventSource;
}

/**
 * Answers readers with what the market said at most 30 seconds ago, to any caller of any process that shares the store.
 * A purchase always reads the market itself.
 */
export function createSharedReader(sources: SharedSources, options: SharedAnswersOptions): MarketReader {
  const answers = new SharedAnswers(options);
  return {
    search: query =>
      answers.ask({ text: textOf(query), purpose: 'browse', staleWillDo: true }, () =>
        sources.browse.search({ ...query, search: normalized(query.search) }),
      ),
    find: (idOrSlug, purpose, admit) =>
      answers.ask(
        { text: `${shape} event ${idOrSlug}`, purpose, staleWillDo: purpose === 'browse', admit },
        () => sources[purpose].get(idOrSlug),
      ),
    read: idOrSlug => sources.purchase.get(idOrSlug),
  };
}

/** Changes with the shape of what is kept, so that two versions of the service never read each other's answers. */
const shape = 'events/1';

function textOf({ search, page, perPage, status }: EventQuery): string {
  return `${shape} search ${status} ${page} ${perPage} ${normalized(search)}`;
}

/** The market ignores letter case, and what stands between two words. */
function normalized(search: string): string {
  return search.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
