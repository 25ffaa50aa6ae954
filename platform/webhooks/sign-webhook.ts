import { createHmac } from 'node:crypto';

/**
 * The header `webhook-signature` of Standard Webhooks 1.0: one signature for each secret, so that receivers that have the
 * earlier and those that have the present one both verify it.
 * @param secrets each `whsec_` and base64
 * @param timestampSeconds the time of this try, as in the header `webhook-timestamp`
 * @param body exactly as sent
 */
export function signWebhook(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  return secrets.map(secret => `v1,${signature(secret, `${id}.${timestampSeconds}.${body}`)}`).join(' ');
}

function signature(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(content, 'utf8').digest('base64');
}

/** A new secret of an endpoint: `whsec_` and base64 of 32 bytes. */
export function newWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return `${secretPrefix}${Buffer.from(randomBytes(secretBytes)).toString('base64')}`;
}

const secretPrefix = 'whsec_';
const secretBytes = 32;
