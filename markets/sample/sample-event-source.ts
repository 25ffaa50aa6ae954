import { z } from 'zod';
import type { MarketEvent } from '../../council/event.js';
import type { EventCategory } from '../../council/market/event-choice.js';
import { impliedPrice } from '../../council/market/prices.js';
import { buildSampleEvent, sampleEventShape } from '../../simulator/events/build-sample-event.js';
import closedEvents from '../../simulator/events/closed-events.json' with { type: 'json' };
import openEvents from '../../simulator/events/open-events.json' with { type: 'json' };
import { resolvedSamples } from '../../simulator/events/resolved-samples.js';
import { venueCategories } from '../categories.js';
import { byVolume, type EventSource, type PricePoint, type PriceQuery } from '../event-source.js';
import { parseGammaEvent } from '../polymarket/parse-gamma-event.js';
import { wordsOf } from './sample-words.js';

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
    async search({ search, category, sort, status, skip, limit }) {
      const words = search.toLowerCase().split(/\s+/).filter(Boolean);
      const found = events.filter(
        event =>
          (status === 'all' || event.status === status) &&
          (category === null || isIn(event, category)) &&
          containsAll(event, words),
      );
      if (sort === 'closing') found.sort(byClosing);
      return { events: found.slice(skip, skip + limit), total: found.length };
    },
    async get(eventId) {
      return events.find(event => event.eventId === eventId) ?? null;
    },
    async readEnding(eventId) {
      const event = events.find(each => each.eventId === eventId);
      return event === undefined ? null : { event, words: wordsOf(event, 'sample') };
    },
    async readPrices(query) {
      return pastPrices(query);
    },
  };
}

/** The prices at the moments of an event of the sample record. Other sample events have no past. */
function pastPrices({ eventId, marketId, from, to }: PriceQuery): readonly PricePoint[] | null {
  const sample = resolvedSamples.find(({ ended }) => parseGammaEvent(ended, 'sample')?.eventId === eventId);
  if (sample === undefined) return null;
  return sample.moments.flatMap(({ at, event }) => {
    const market = parseGammaEvent(event, 'sample')?.markets.find(each => each.marketId === marketId);
    const yesPrice = market === undefined ? null : impliedPrice(market);
    return yesPrice === null || at < from || at > to ? [] : [{ at, yesPrice }];
  });
}

function isIn(event: MarketEvent, category: EventCategory): boolean {
  return venueCategories[category].polymarket.includes(event.category?.toLowerCase() ?? '');
}

/** Events without an end come last. */
function byClosing(a: MarketEvent, b: MarketEvent): number {
  return (a.closesAt ?? '9').localeCompare(b.closesAt ?? '9') || byVolume(a, b);
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
