import type { VenueHttp } from '../http/venue-client.js';
import { compareFields, type FieldChange, type ProbedObject, type ProbedVenue } from './compare-fields.js';
import { createProbeReads, type ProbeAddresses, type RawObject, rawObjects } from './probe-reads.js';

/** What differs between the newest answers of a venue and what is parsed of them. */
export interface VenueProbe {
  readonly venue: ProbedVenue;
  /** How many objects were compared. */
  readonly events: number;
  readonly markets: number;
  /** Only Kalshi has series. */
  readonly series: number;
  /** Only Polymarket has resolutions. */
  readonly resolutions: number;
  /** Points of the past prices of one market. */
  readonly prices: number;
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
 * Reads a few open events of a venue, a series, how their markets are resolved and what one of them traded at, and compares each
 * object with the known fields: at most three requests.
 * @throws MarketUnavailable if the venue cannot be read
 */
export async function probeVenue(
  venue: ProbedVenue,
  addresses: ProbeAddresses,
  http: VenueHttp & { readonly now: () => Date },
): Promise<VenueProbe> {
  const reads = createProbeReads(venue, addresses, http);
  const events = await reads.events();
  const markets = events.flatMap(({ markets: nested }) => rawObjects.safeParse(nested).data ?? []);
  const series = await reads.series(events);
  const resolutions = await reads.resolutions(markets);
  const prices = await reads.prices(events);
  return {
    venue,
    events: events.length,
    markets: markets.length,
    series: series.length,
    resolutions: resolutions.length,
    prices: prices.length,
    changes: [
      ...changesOf(venue, 'event', events),
      ...changesOf(venue, 'market', markets),
      ...changesOf(venue, 'series', series),
      ...changesOf(venue, 'resolution', resolutions),
      ...changesOf(venue, 'price', prices),
    ],
  };
}

/** The changes of all objects together, each once. */
function changesOf(
  venue: ProbedVenue,
  object: ProbedObject,
  raws: readonly RawObject[],
): readonly ObjectChange[] {
  const found = new Map<string, ObjectChange>();
  for (const change of raws.flatMap(raw => compareFields(venue, object, raw))) {
    const key = JSON.stringify(change);
    found.set(key, { ...change, object, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}
