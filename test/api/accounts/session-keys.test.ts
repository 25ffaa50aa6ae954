import { describe, expect, test } from '@jest/globals';
import { errors, exportJWK, generateKeyPair, type JWK, jwtVerify } from 'jose';
import { cacheSessionKeys } from '../../../api/auth/session-keys.js';
import { sessionKeysFreshSeconds, sessionKeysKeptSeconds } from '../../../purchase/limits.js';
import { forge, secondsFromNow } from '../../support/machine/forge.js';

const reloadSeconds = 30;

async function newSigner(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'ES256' };
  return {
    jwk,
    token: () => forge({ sub: 'x', exp: secondsFromNow(600) }, privateKey, { alg: 'ES256', kid }),
  };
}

/** The keys of a source that counts its loads, and a clock. */
async function keysOf(signers: { jwk: JWK }[]) {
  const source = { keys: signers.map(({ jwk }) => jwk), loads: 0, isAway: false };
  const clock = { seconds: 0 };
  const keys = cacheSessionKeys({
    load: async () => {
      source.loads++;
      await Promise.resolve();
      if (source.isAway) throw new Error('away');
      return { keys: source.keys };
    },
    reloadSeconds,
    now: () => new Date(clock.seconds * 1_000),
  });
  const verify = async (signer: { token: () => Promise<string> }) => {
    await jwtVerify(await signer.token(), keys);
  };
  return { source, clock, verify };
}

const [known, other] = await Promise.all([newSigner('known'), newSigner('other')]);
const unknown = errors.JWKSNoMatchingKey;

describe('the keys of session tokens', () => {
  test('are loaded once for any number of tokens, also at the same time', async () => {
    const { source, verify } = await keysOf([known]);
    await Promise.all(Array.from({ length: 20 }, () => verify(known)));
    for (let i = 0; i < 20; i++) await verify(known);
    expect(source.loads).toBe(1);
  });

  test('are loaded at most once in a time for tokens of made-up keys, which delay no others', async () => {
    const { source, clock, verify } = await keysOf([known]);
    await verify(known);
    for (let i = 0; i < 50; i++) await expect(verify(other)).rejects.toThrow(unknown);
    expect(source.loads).toBe(1);
    clock.seconds += reloadSeconds;
    for (let i = 0; i < 50; i++) await expect(verify(other)).rejects.toThrow(unknown);
    expect(source.loads).toBe(2);
    await verify(known);
  });

  test('are loaded again for a new key', async () => {
    const { source, clock, verify } = await keysOf([known]);
    await verify(known);
    source.keys = [known.jwk, other.jwk];
    clock.seconds += reloadSeconds;
    await verify(other);
    expect(source.loads).toBe(2);
  });

  test('are loaded at once where there was none', async () => {
    const { source, verify } = await keysOf([]);
    await expect(verify(known)).rejects.toThrow(unknown);
    source.keys = [known.jwk];
    await verify(known);
  });

  test('are refused after ten minutes once they were removed', async () => {
    const { source, clock, verify } = await keysOf([known]);
    await verify(known);
    source.keys = [other.jwk];
    clock.seconds += sessionKeysFreshSeconds;
    await expect(verify(known)).rejects.toThrow(unknown);
  });
});

describe('while the keys cannot be loaded', () => {
  test('cached ones stay valid for an hour, and are asked for once in a time', async () => {
    const { source, clock, verify } = await keysOf([known]);
    await verify(known);
    source.isAway = true;
    clock.seconds = sessionKeysFreshSeconds;
    for (let i = 0; i < 20; i++) await verify(known);
    expect(source.loads).toBe(2);
    clock.seconds = sessionKeysKeptSeconds - 1;
    await verify(known);
    clock.seconds = sessionKeysKeptSeconds;
    await expect(verify(known)).rejects.toThrow('away');
    source.isAway = false;
    await verify(known);
  });

  test('nobody can tell whether a key is unknown, so its token is not called invalid', async () => {
    const { source, clock, verify } = await keysOf([known]);
    await verify(known);
    source.isAway = true;
    clock.seconds = reloadSeconds;
    for (let i = 0; i < 20; i++) await expect(verify(other)).rejects.toThrow('away');
    expect(source.loads).toBe(2);
    await verify(known);
  });
});
