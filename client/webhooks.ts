import type { WebhookEvent } from './api-types.js';
import { CouncilProblem } from './council-problem.js';

/** The headers of a delivery, as a `Headers` object or as Node.js has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far the time of a delivery may be from that of its receiver, both ways. */
const toleranceSeconds = 300;
const secretPrefix = 'whsec_';
const signaturePrefix = 'v1,';

/** Reads deliveries of webhooks (Standard Webhooks 1.0). */
export class Webhooks {
  /**
   * Verifies a delivery and returns what was sent.
   *
   * A delivery can arrive more than once, always with the same `webhook-id`: ignore one that you have processed.
   *
   * @param body the bytes of the request as they arrived: JSON that was parsed and written again has another signature
   * @param secret the secret of the endpoint, `whsec_…`; during a rotation both
   * @throws CouncilProblem `invalid_webhook` if no signature is valid, or its time is more than 300 seconds away
   */
  async unwrap(
    body: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): Promise<WebhookEvent> {
    const id = headerOf(headers, 'webhook-id');
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const signatures = headerOf(headers, 'webhook-signature').split(' ');
    if (!/^\d{1,12}$/.test(timestamp)) throw invalid('webhook-timestamp is no time');
    const distanceSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
    if (distanceSeconds > toleranceSeconds) throw invalid('it is more than 300 seconds away');
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    const secrets = typeof secret === 'string' ? [secret] : secret;
    const valid = await Promise.all(secrets.map(each => isSigned(signed, signatures, each)));
    if (!valid.includes(true)) throw invalid('no signature is valid');
    return eventIn(bytes);
  }
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: string,
): Promise<boolean> {
  const bytes = bytesOf(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret);
  if (bytes === null || bytes.length === 0) throw invalid('the secret is not one of this service');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const tries = signatures.map(async signature => {
    if (!signature.startsWith(signaturePrefix)) return false;
    const given = bytesOf(signature.slice(signaturePrefix.length));
    // Compares in constant time.
    return given !== null && crypto.subtle.verify('HMAC', key, given, signed);
  });
  return (await Promise.all(tries)).includes(true);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (typeof value !== 'string' || value === '') throw invalid(`${name} is missing`);
  return value;
}

/** Names of headers have no case. */
function valueOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

/** Null if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch {
    throw invalid('its body is no JSON');
  }
}

function invalid(why: string): CouncilProblem {
  return new CouncilProblem('invalid_webhook', `The delivery is not valid: ${why}.`);
}
