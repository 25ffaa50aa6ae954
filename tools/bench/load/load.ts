import { z } from 'zod';

const requestShape = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

/** The load for the load generator. */
export const loadShape = z.object({
  url: z.string(),
  /** No request starts after this time. */
  seconds: z.number().positive(),
  /** Whether a connection repeats its requests until the time is over. */
  repeat: z.boolean(),
  connections: z.array(
    z.object({
      /**
       * A different address in 127/8 for each connection, because the service limits requests per address.
       */
      localAddress: z.string(),
      requests: z.array(requestShape),
    }),
  ),
});

export type Load = z.infer<typeof loadShape>;
export type LoadRequest = z.infer<typeof requestShape>;

export const loadResultShape = z.object({
  requests: z.int(),
  requestsPerSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  bytesPerResponse: z.number(),
  /** Number of responses by status. */
  statuses: z.record(z.string(), z.int()),
});

export type LoadResult = z.infer<typeof loadResultShape>;
