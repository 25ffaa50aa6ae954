import { z } from 'zod';
import { MarketUnreadable } from '../event-source.js';
import { createVenueClient, type VenueHttp } from '../http/venue-client.js';
import { compareFields, type FieldChange, type ProbedObject, type ProbedVenue } from './compare-fields.js';

/** What differs between the newest answers of a venue and what is parsed of them. */
export interface VenueProbe {
  readonly venue: ProbedVenue;
  /** How many objects were compared. */
  readonly events: number;
  readonly markets: number;
  readonly changes: readonly ObjectChange[];
}

export interface ObjectChange extends FieldChange {
  readonly object: ProbedObject;
  /** In how many of the compared objects it was found. */
  readonly count: number;
}

/** Whether events can be misread: a field that is only new does not matter. */
export function isBroken({ changes, events }: VenueProbe): boolean {
  return events === 0 || changes.some(({ kind }) => kind !== 'unknown');
}

/**
 * Reads a few open events of a venue with one request, and compares each with the known fields.
 * @param baseUrl the address of the API
 * @throws MarketUnavailable if the venue cannot be read
 */
export async function probeVenue(venue: ProbedVenue, baseUrl: string, http: VenueHttp): Promise<VenueProbe> {
  const { name, path, query, listOf } = probes[venue];
  const client = createVenueClient({ ...http, name, baseUrl, throttledSeconds: () => pauseSeconds });
  const answer = await client.get(path, query);
  const read = listOf.safeParse(answer.found ? answer.body : null);
  if (!read.success) throw new MarketUnreadable(`${name} answered with a list that cannot be read.`);
  const events = read.data;
  const markets = events.flatMap(({ markets: nested }) => objectsShape.safeParse(nested).data ?? []);
  return {
    venue,
    events: events.length,
    markets: markets.length,
    changes: [...changesOf(venue, 'event', events), ...changesOf(venue, 'market', markets)],
  };
}

const pauseSeconds = 10;

const eventsCompared = 5;

const objectsShape = z.array(z.record(z.string(), z.unknown()));

const probes = {
  polymarket: {
    name: 'Polymarket',
    path: '/events',
    query: { closed: 'false', order: 'volume', ascending: 'false', limit: String(eventsCompared) },
    listOf: objectsShape,
  },
  kalshi: {
    name: 'Kalshi',
    path: '/events',
    query: { status: 'open', with_nested_markets: 'true', limit: String(eventsCompared) },
    listOf: z.object({ events: objectsShape }).transform(({ events }) => events),
  },
} as const;

/** The changes of all objects together, each once. */
function changesOf(
  venue: ProbedVenue,
  object: ProbedObject,
  raws: readonly Readonly<Record<string, unknown>>[],
): readonly ObjectChange[] {
  const found = new Map<string, ObjectChange>();
  for (const change of raws.flatMap(raw => compareFields(venue, object, raw))) {
    const key = JSON.stringify(change);
    found.set(key, { ...change, object, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}
