import { z } from 'zod';
import type { MarketEvent } from '../../council/event.js';
import { byVolume, type EventSource } from '../../markets/event-source.js';
import { parseGammaEvent } from '../../markets/gamma/parse-gamma-event.js';
import { buildSampleEvent, sampleEventShape } from './build-sample-event.js';
import closedEvents from './closed-events.json' with { type: 'json' };
import openEvents from './open-events.json' with { type: 'json' };
import { resolvedSamples } from './resolved-samples.js';

/**
 * The bundled sample events, read by the same parser as Polymarket's. A search finds the events that contain
 * each of its words, ignoring case, in the title, the description or a market's name, most traded first.
 * Needs no network and never throws.
 */
export function createSampleEventSource(): EventSource {
  const events = sampleEvents
    .map(raw => parseGammaEvent(raw, 'sample'))
    .filter(event => event !== null)
    .sort(byVolume);
  return {
    async search({ search, page, perPage, status }) {
      const words = search.toLowerCase().split(/\s+/).filter(Boolean);
      const found = events.filter(
        event => (status === 'all' || event.status === status) && containsAll(event, words),
      );
      const first = (page - 1) * perPage;
      return { events: found.slice(first, first + perPage), total: found.length };
    },
    async get(eventId) {
      return events.find(event => event.eventId === eventId) ?? null;
    },
  };
}

function containsAll(event: MarketEvent, words: readonly string[]): boolean {
  const text = [event.title, event.description, ...event.markets.map(market => market.name)]
    .join('\n')
    .toLowerCase();
  return words.every(word => text.includes(word));
}

/** The bundled sample events in Gamma's format: every kind of event that the service supports. */
export const sampleEvents: readonly unknown[] = [
  ...z
    .array(sampleEventShape)
    .parse(openEvents)
    .map(event => buildSampleEvent(event)),
  ...z
    .array(sampleEventShape)
    .parse(closedEvents)
    .map(event => buildSampleEvent(event, { closed: true })),
  ...resolvedSamples.map(({ ended }) => ended),
];
