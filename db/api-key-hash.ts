import { createHash } from 'node:crypto';

/** What is stored of an API key: its SHA-256. Of 190 random bits nothing slower or salted is needed. */
export function apiKeyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
