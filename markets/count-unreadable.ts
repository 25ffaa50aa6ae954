import { type EventSource, MarketUnreadable } from './event-source.js';

/** The source, with each answer counted that is not in the form that is parsed here. */
export function countUnreadable(source: EventSource, onUnreadable: () => void): EventSource {
  const counted = async <Value>(read: Promise<Value>): Promise<Value> => {
    try {
      return await read;
    } catch (error) {
      if (error instanceof MarketUnreadable) onUnreadable();
      throw error;
    }
  };
  return {
    search: query => counted(source.search(query)),
    get: idOrSlug => counted(source.get(idOrSlug)),
    readEnding: (eventId, marketIds) => counted(source.readEnding(eventId, marketIds)),
    readPrices: query => counted(source.readPrices(query)),
  };
}
