import type { MarketEvent } from '../../../council/event.js';
import type { EventSource } from '../../../markets/event-source.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { wordsOf } from '../../../markets/sample/sample-words.js';

export interface SampleEventCopies extends EventSource {
  /** A new id for the sample event, so that a second report on it is not cached. */
  retell(sampleId: string, change?: (event: MarketEvent) => MarketEvent): string;
}

/** The sample events under any number of ids, each changed as a test requires. */
export function createSampleEventCopies(): SampleEventCopies {
  const samples = createSampleEventSource();
  const copies = new Map<string, { sampleId: string; change: (event: MarketEvent) => MarketEvent }>();
  const get = async (id: string) => {
    const { sampleId, change } = copies.get(id) ?? { sampleId: id, change: (event: MarketEvent) => event };
    const event = await samples.get(sampleId);
    return event && { ...change(event), eventId: id };
  };
  return {
    ...samples,
    retell: (sampleId, change = event => event) => {
      const id = `${sampleId}-retold-${copies.size}`;
      copies.set(id, { sampleId, change });
      return id;
    },
    get,
    readEnding: async id => {
      const event = await get(id);
      return event === null ? null : { event, words: wordsOf(event, 'sample') };
    },
  };
}
