import { type EventSource, MarketUnreadable } from './event-source.js';

/**
 * The source, with each answer counted that is not in the form that is parsed here, or in which a final result contradicts
 * what was paid.
 */
export function countUnreadable(source: EventSource, onUnreadable: () => void): EventSource {
  const counted = <Value>(read: Promise<Value>) => countedRead(read, onUnreadable);
  return {
    search: query => counted(source.search(query)),
    get: idOrSlug => counted(source.get(idOrSlug)),
    async readEnding(eventId, marketIds) {
      const ending = await counted(source.readEnding(eventId, marketIds));
      if (ending?.hasContradiction === true) onUnreadable();
      return ending;
    },
    readPrices: query => counted(source.readPrices(query)),
  };
}

/** One read that is counted as those of a source are. */
export async function countedRead<Value>(read: Promise<Value>, onUnreadable: () => void): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof MarketUnreadable) onUnreadable();
    throw error;
  }
}
