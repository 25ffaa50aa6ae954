import { type Sent, sendUnchecked } from './send.js';
import type { Answer } from './test-caller.js';

/** Other systems than Linux have one loopback address by default. */
export const hasManyAddresses = process.platform === 'linux';

/** An address of this machine, another one for each number below 2^24. */
export function localAddress(number: number): string {
  return `127.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/**
 * Sends a request, with a JSON body if one is given, from one of this machine's addresses. Without a check of the
 * response: the description of `/healthz` does not say that a flood of it is refused.
 */
export function sendFrom(
  from: string,
  url: string,
  { headers = {}, body }: Pick<Sent, 'headers'> & { body?: unknown } = {},
): Promise<Answer> {
  if (body === undefined) return sendUnchecked(url, { from, headers });
  const json = { 'content-type': 'application/json', ...headers };
  return sendUnchecked(url, { from, method: 'POST', headers: json, body: JSON.stringify(body) });
}
