import type { Response } from 'express';

/** Clients connect again after this time. */
const retryMs = 3_000;

/** Begins a stream of server-sent events. */
export function setStreamHeaders(response: Response): void {
  // Not by `set`, which adds a character set: the type has one only.
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-store');
  // nginx would otherwise collect events before it passes them on.
  response.setHeader('X-Accel-Buffering', 'no');
}

/** The first bytes of a stream. */
export const streamStart = `retry: ${retryMs}\n\n`;

/** Keeps proxies from closing a quiet stream. */
export const streamComment = ': \n\n';

export function frameOf({ id, event, data }: { id: number | string; event: string; data: unknown }): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
