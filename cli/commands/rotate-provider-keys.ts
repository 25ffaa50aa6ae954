import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../config/keys/key-ring.js';
import { seal, UnsealError, unseal } from '../../config/keys/seal.js';
import { listKeysNotSealedWith, resealProviderKey, type SealedKey } from '../../db/accounts/provider-keys.js';
import type { Db } from '../../db/database.js';
import type { Output } from '../terminal/output.js';

/**
 * Seals every stored provider key anew that is not sealed with the active key of the ring. Each is done by itself, so
 * it may be killed and run again, and run beside the service: a key that its owner replaces meanwhile is left alone.
 * Afterwards the older keys may leave the ring, if every API process has had the new one as its first by then.
 *
 * @returns false when a key is left that this ring does not open; all others are done all the same
 */
export async function rotateProviderKeys(
  db: Db,
  output: Output,
  ring: readonly EncryptionKey[],
): Promise<boolean> {
  const [active] = ring;
  if (active === undefined) throw new Error('the key ring is empty');
  const tally: Tally = { resealed: 0, unknown: new Map(), damaged: [] };
  for (let after: string | null = null; ; ) {
    const page: readonly SealedKey[] = await listKeysNotSealedWith(db, active.kid, {
      after,
      limit: pageSize,
    });
    for (const key of page) await rotate(db, ring, key, tally);
    output.flicker(`Sealed ${tally.resealed} provider keys anew`);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  tell(output, active.kid, tally);
  const whole = tally.unknown.size === 0 && tally.damaged.length === 0;
  output.next(
    whole
      ? 'The older keys may leave ENCRYPTION_KEYS once every API process has had the new one as its first.'
      : 'Put the key that is missing back into ENCRYPTION_KEYS and run this again, or have the owners store theirs anew.',
  );
  return whole;
}

const pageSize = 100;

interface Tally {
  resealed: number;
  /** How many keys were sealed with a kid that the ring does not have. */
  readonly unknown: Map<string, number>;
  readonly damaged: SealedKey[];
}

async function rotate(db: Db, ring: readonly EncryptionKey[], from: SealedKey, tally: Tally): Promise<void> {
  const { id, accountId, provider } = from;
  const place = { keyId: id, accountId, provider };
  try {
    const to = seal(ring, unseal(ring, from, place), place, randomBytes);
    if (await resealProviderKey(db, { id, from, to })) tally.resealed++;
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    if (error.problem === 'damaged') tally.damaged.push(from);
    else tally.unknown.set(error.kid, (tally.unknown.get(error.kid) ?? 0) + 1);
  }
}

function tell(output: Output, activeKid: string, { resealed, unknown, damaged }: Tally): void {
  const unknownKids = [...unknown].map(([kid, keys]) => ({ kid, keys }));
  output.result(
    {
      active_kid: activeKid,
      resealed,
      unknown_kids: unknownKids,
      damaged: damaged.map(({ accountId, provider }) => ({ account_id: accountId, provider })),
    },
    [
      `Sealed ${resealed} provider keys anew with ${JSON.stringify(activeKid)}.`,
      ...unknownKids.map(
        ({ kid, keys }) =>
          `${keys} were sealed with ${JSON.stringify(kid)}, which is not in ENCRYPTION_KEYS, and are as they were.`,
      ),
      ...damaged.map(
        ({ accountId, provider, kid }) =>
          `The ${provider} key of account ${accountId} does not open with ${JSON.stringify(kid)}: it was changed or moved, or the key of that name is another.`,
      ),
    ].join('\n'),
  );
}
