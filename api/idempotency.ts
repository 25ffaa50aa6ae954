import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { idempotencyKeyMaxChars } from '../council/limits.js';
import type { Idempotency } from '../council/purchase.js';
import { Problem } from './problem.js';

/**
 * The `Idempotency-Key` of a request with the fingerprint of what it asks for; null where none was sent.
 * @throws Problem `invalid_request` for an empty or overlong key.
 */
export function readIdempotency(request: Request, body: object): Idempotency | null {
  const key = request.get('idempotency-key')?.trim();
  if (key === undefined) return null;
  if (key === '' || key.length > idempotencyKeyMaxChars) {
    const detail = `must have 1 to ${idempotencyKeyMaxChars} characters`;
    throw new Problem('invalid_request', `Idempotency-Key: ${detail}`, {
      errors: [{ parameter: 'Idempotency-Key', detail }],
    });
  }
  const sorted = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return { key, fingerprint: createHash('sha256').update(JSON.stringify(sorted)).digest('hex') };
}
