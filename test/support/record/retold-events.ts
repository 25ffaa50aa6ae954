import type { MarketEvent } from '../../../council/event.js';
import type { EventSource } from '../../../markets/event-source.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';

export interface RetoldEvents extends EventSource {
  /** A new id under which the sample event can be asked about afresh: a second report on one id would be cached. */
  retell(sampleId: string, change?: (event: MarketEvent) => MarketEvent): string;
}

/** The sample events, any number of times over, each time as changed as a test wants. */
export function createRetoldEvents(): RetoldEvents {
  const samples = createSampleEventSource();
  const told = new Map<string, { sampleId: string; change: (event: MarketEvent) => MarketEvent }>();
  return {
    ...samples,
    retell: (sampleId, change = event => event) => {
      const id = `${sampleId}-retold-${told.size}`;
      told.set(id, { sampleId, change });
      return id;
    },
    get: async id => {
      const { sampleId, change } = told.get(id) ?? { sampleId: id, change: (event: MarketEvent) => event };
      const event = await samples.get(sampleId);
      return event && { ...change(event), eventId: id };
    },
  };
}
