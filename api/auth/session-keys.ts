import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { sessionKeysFreshSeconds, sessionKeysKeptSeconds } from '../../purchase/limits.js';

export interface KeySource {
  /** Loads the public keys with which session tokens are signed now. */
  readonly load: () => Promise<JSONWebKeySet>;
  /** Between two loads that tokens of unknown keys ask for: otherwise made-up key ids would cost a load each. */
  readonly reloadSeconds: number;
  readonly now: () => Date;
}

/** The keys of the last load. */
interface LoadedKeys {
  readonly keyOf: JWTVerifyGetKey;
  readonly isEmpty: boolean;
  readonly atMs: number;
}

/**
 * Caches the public keys of session tokens. Invariants:
 * - a key that was removed is refused after ten minutes;
 * - while keys cannot be loaded, cached ones are valid for an hour. A provider that is away issues no tokens, and
 *   those that it has issued expire;
 * - a token of an unknown key causes a load, but not more often than every `reloadSeconds`;
 * - requests that need a load at the same time share one.
 *
 * The function throws what `load` throws if it has no valid keys, or cannot tell whether a key is unknown.
 */
export function cacheSessionKeys({ load, reloadSeconds, now }: KeySource): JWTVerifyGetKey {
  let loaded: LoadedKeys | null = null;
  let failure: { readonly error: unknown } | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<LoadedKeys> | null = null;

  const secondsSince = (ms: number) => (now().getTime() - ms) / 1_000;

  function reload(): Promise<LoadedKeys> {
    loading ??= loadOnce().finally(() => {
      loading = null;
    });
    return loading;
  }

  async function loadOnce(): Promise<LoadedKeys> {
    triedAtMs = now().getTime();
    try {
      const set = await load();
      loaded = { keyOf: createLocalJWKSet(set), isEmpty: set.keys.length === 0, atMs: now().getTime() };
      failure = null;
      return loaded;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }

  async function validKeys(): Promise<LoadedKeys> {
    // A service without keys has issued no token: its first one must not wait.
    if (loaded === null || loaded.isEmpty) return reload();
    const age = secondsSince(loaded.atMs);
    if (age < sessionKeysFreshSeconds) return loaded;
    if (age >= sessionKeysKeptSeconds) return reload();
    if (secondsSince(triedAtMs) < reloadSeconds) return loaded;
    const kept = loaded;
    return reload().catch(() => kept);
  }

  return async (header, token) => {
    const known = await validKeys();
    try {
      return await known.keyOf(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (secondsSince(triedAtMs) >= reloadSeconds) return (await reload()).keyOf(header, token);
      if (failure !== null) throw failure.error;
      throw error;
    }
  };
}
