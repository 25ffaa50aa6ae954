import { CouncilProblem } from '../../client/council-problem.js';
import { unavailableText } from '../../contract/callers/event-text.js';
import type { EventView } from '../../contract/events.js';
import type { Venue } from '../../council/event.js';
import type { CouncilApi } from '../connections/council-api.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { parseEventAddress } from './event-address.js';

/** How a person names an event. */
export interface WantedEvent {
  /** An id, with or without its venue; a slug; the address of its page at the venue; or text to search for. */
  readonly words: string;
  /** Undefined: any venue of the service. */
  readonly venue: Venue | undefined;
}

/**
 * Finds the event by its id or address, else by a search, and prints what else was found and which venues could not be
 * searched.
 *
 * @throws Failure if no open event matches, or the words name an event of another venue
 */
export async function findEvent(
  api: CouncilApi,
  output: Output,
  { words, venue }: WantedEvent,
): Promise<EventView> {
  const address = parseEventAddress(words);
  const named = address === null ? namedEvent(words, venue) : address.eventId;
  const event = named === null ? null : await api.events.get(named).catch(nullIfNotFound);
  const from = address?.venue ?? event?.venue;
  if (venue !== undefined && from !== undefined && from !== venue) {
    throw new Failure(`“${words}” is an event of ${from}, not of ${venue}.`, {
      next: 'Leave --venue out, or name the venue of the event.',
      exitCode: exitCodes.usage,
    });
  }
  if (event !== null) return event;
  if (address?.search === null) throw noMatch(api, words, []);
  return searchEvent(api, output, { words: address?.search ?? words, venue: from ?? venue });
}

/** Null for words, which can only be searched for. An id without its venue is looked up at the one that was chosen. */
function namedEvent(words: string, venue: Venue | undefined): string | null {
  if (/\s/.test(words)) return null;
  return venue === undefined || words.includes(':') ? words : `${venue}:${words}`;
}

const alternativesShown = 5;

async function searchEvent(
  api: CouncilApi,
  output: Output,
  { words, venue }: WantedEvent,
): Promise<EventView> {
  const { events, unavailable } = await api.events.search({
    search: words,
    per_page: alternativesShown,
    ...(venue === undefined ? {} : { venue }),
  });
  const [best, ...others] = events;
  if (best === undefined) throw noMatch(api, words, unavailable);
  const missing = unavailableText(unavailable);
  if (missing !== '') output.progress(missing);
  for (const other of others) output.progress(`also found: ${describeEvent(other)}`);
  return best;
}

/** "Fed cut in March? (sample-fed-cut-2031) on sample" */
export function describeEvent({
  title,
  event_id: id,
  venue,
}: Pick<EventView, 'title' | 'event_id' | 'venue'>): string {
  return `${title} (${id}) on ${venue}`;
}

function noMatch(api: CouncilApi, words: string, unavailable: readonly Venue[]): Failure {
  return new Failure(`No open event matches “${words}”. ${unavailableText(unavailable)}`.trim(), {
    next: `Try fewer or other words; ${api.browserUrl()} lists the open events.`,
  });
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof CouncilProblem && error.code === 'event_not_found') return null;
  throw error;
}
