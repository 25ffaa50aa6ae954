import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { PurchaseBody } from '../../contract/purchase.js';
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
  if (key === '' || key.length > idempotencyKeyMaxChars) {
    const detail = `must have 1 to ${idempotencyKeyMaxChars} characters`;
    throw new Problem('invalid_request', `Idempotency-Key: ${detail}`, {
      errors: [{ parameter: 'Idempotency-Key', detail }],
    });
  }
  return key;
}

/** A key with the fingerprint of the body, in which the event has its id: a slug is another spelling of it. */
export function idempotencyOf(key: string | null, body: PurchaseBody, eventId: string): Idempotency | null {
  if (key === null) return null;
  const sorted = Object.entries({ ...body, event_id: eventId }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { key, fingerprint: createHash('sha256').update(JSON.stringify(sorted)).digest('hex') };
}
