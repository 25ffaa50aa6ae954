import { createHmac } from 'node:crypto';
import type { ApiContext } from '../context.js';

/** Names a count. Keyed with the deployment's secret, so that the database holds no address, not even a guessable hash. */
export type CountKey = (kind: string, ...subject: readonly string[]) => string;

export function createCountKey({
  keyRing,
  randomBytes,
}: Pick<ApiContext, 'keyRing' | 'randomBytes'>): CountKey {
  const secret = keyRing[0]?.key ?? randomBytes(32);
  return (kind, ...subject) =>
    `${kind}:${createHmac('sha256', secret).update(JSON.stringify(subject)).digest('base64url')}`;
}
