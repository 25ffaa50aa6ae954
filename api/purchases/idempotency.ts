import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { PurchaseBody } from '../../contract/purchase.js';
import { quorumOpinions } from '../../council/method.js';
import { idempotencyKeyMaxChars } from '../../purchase/limits.js';
import type { Idempotency } from '../../purchase/purchase.js';
import { Problem } from '../http/problem.js';

/**
 * The `Idempotency-Key` of a request; null without the header.
 * @throws Problem `invalid_request` for an empty or overlong key.
 */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.get('idempotency-key')?.trim();
  if (key === undefined) return null;
  if (key === '' || key.length > idempotencyKeyMaxChars)
    throw invalidKey(`must have 1 to ${idempotencyKeyMaxChars} characters`);
  return key;
}

/** @throws Problem `invalid_request` also without the header */
export function requireIdempotencyKey(request: Request): string {
  const key = readIdempotencyKey(request);
  if (key === null) throw invalidKey('is required');
  return key;
}

function invalidKey(detail: string): Problem {
  return new Problem('invalid_request', `Idempotency-Key: ${detail}`, {
    errors: [{ parameter: 'Idempotency-Key', detail }],
  });
}

/**
 * A key with the fingerprint of the body, in which the event has its id: a slug is another spelling of it. So is the
 * default of `min_members`, which requests of before do not have.
 */
export function idempotencyOf(
  key: string | null,
  { min_members = quorumOpinions, ...body }: PurchaseBody,
  eventId: string,
): Idempotency | null {
  if (key === null) return null;
  const asked = min_members === quorumOpinions ? body : { ...body, min_members };
  return { key, fingerprint: fingerprintOf({ ...asked, event_id: eventId }) };
}

/** The same for the same fields in any order. */
export function fingerprintOf(fields: object): string {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
