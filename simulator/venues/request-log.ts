export const simulatedVenues = ['kalshi', 'polymarket'] as const;

export type SimulatedVenue = (typeof simulatedVenues)[number];

/** What a venue does instead of answering. `hang` sends nothing until the client disconnects. */
export const venueFaults = ['hang', 'throttle', 'garbage'] as const;

export type VenueFault = (typeof venueFaults)[number];

/** One request as the venue saw it. */
export interface VenueRequest {
  readonly venue: SimulatedVenue;
  /** With the query. */
  readonly path: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds; null while the request is in progress. */
  readonly endedAt: number | null;
  /** Null until the answer is sent, and for a request that never got one. */
  readonly status: number | null;
  /** The requests to the venue in progress when this one came, with itself. */
  readonly atOnce: number;
}

export interface RequestLog {
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly VenueRequest[];
  /** @returns The entry, and a function that notes its end. */
  begin(venue: SimulatedVenue, path: string): BegunRequest;
}

export interface BegunRequest {
  readonly atOnce: number;
  /** Milliseconds since the venue's previous request came; null for the first. */
  readonly sincePreviousMs: number | null;
  end(status: number | null): void;
}

/** Limits the memory that a long demonstration takes. */
const maxRequests = 10_000;

/** @param now Epoch milliseconds. */
export function createRequestLog(now: () => number): RequestLog {
  const requests: { -readonly [Key in keyof VenueRequest]: VenueRequest[Key] }[] = [];
  const inProgress = { kalshi: 0, polymarket: 0 };
  const previousAt: Partial<Record<SimulatedVenue, number>> = {};
  return {
    requests,
    begin: (venue, path) => {
      inProgress[venue] += 1;
      const atOnce = inProgress[venue];
      const startedAt = now();
      const previous = previousAt[venue];
      previousAt[venue] = startedAt;
      const entry: (typeof requests)[number] = {
        venue,
        path,
        startedAt,
        endedAt: null,
        status: null,
        atOnce,
      };
      requests.push(entry);
      if (requests.length > maxRequests) requests.shift();
      return {
        atOnce,
        sincePreviousMs: previous === undefined ? null : startedAt - previous,
        end: status => {
          if (entry.endedAt !== null) return;
          inProgress[venue] -= 1;
          entry.endedAt = now();
          entry.status = status;
        },
      };
    },
  };
}
