import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { credentialKnownMinutes, knownCredentialsMax } from '../../purchase/limits.js';

/**
 * The credentials that this process has verified lately, and whose limit each counts against. Until a credential is
 * verified its requests are anonymous, so that made-up ones lift no limit.
 */
export interface KnownCallers {
  remember(credential: string, caller: Caller): void;
  /** Null for a credential that was not verified lately. */
  limitOf(credential: string): string | null;
}

/** `apiKeyId` is null for a session. */
interface Caller {
  readonly accountId: string;
  readonly apiKeyId: string | null;
}

export function createKnownCallers(): KnownCallers {
  const known = new LRUCache<string, string>({
    max: knownCredentialsMax,
    ttl: credentialKnownMinutes * 60_000,
  });
  return {
    remember: (credential, { accountId, apiKeyId }) =>
      // Sessions share the limit of their account: tokens can be had in any number.
      known.set(fingerprint(credential), apiKeyId === null ? `account ${accountId}` : `key ${apiKeyId}`),
    limitOf: credential => known.get(fingerprint(credential)) ?? null,
  };
}

/** Hashed, so that no secret stays in memory longer than its request. */
function fingerprint(credential: string): string {
  return createHash('sha256').update(credential).digest('base64');
}
