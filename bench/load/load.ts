import { z } from 'zod';

const requestShape = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

/** What the load generator is asked to send. */
export const loadShape = z.object({
  url: z.string(),
  /** After so long nothing more is sent. */
  seconds: z.number().positive(),
  /** Whether a connection begins again once it has sent all of its requests. */
  again: z.boolean(),
  connections: z.array(
    z.object({
      /** Each from an address of its own below 127/8, as callers are: the service bounds what one address may ask. */
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
  bytesEach: z.number(),
  /** How many answers of each status. */
  answers: z.record(z.string(), z.int()),
});

export type LoadResult = z.infer<typeof loadResultShape>;
