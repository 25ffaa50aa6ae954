import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { listKeysNotSealedWith, resealRow, type SealedKey } from '../../db/accounts/provider-keys.js';
import type { Db } from '../../db/database.js';
import { listSecretsNotSealedWith, type SealedSecret } from '../../db/webhooks/secrets.js';
import { encryptionKeys } from '../../platform/keys/encryption-keys.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { seal, UnsealError, unseal } from '../../platform/keys/seal.js';
import type { CommandContext } from '../command-context.js';
import { examples } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('rotate')
    .description(
      'Re-encrypts every stored provider key, and every secret of a webhook, that is not encrypted with the first of ENCRYPTION_KEYS. Safe to run while the service runs, and to repeat. Exits with 1 if a key remains that none of ENCRYPTION_KEYS opens.',
    )
    .summary('re-encrypt stored keys with the first of ENCRYPTION_KEYS')
    .addHelpText('after', examples('provider-keys rotate'))
    .action(async () => {
      const ring = encryptionKeys(context.settings());
      await context.database(db => rotateProviderKeys(db, context.output, ring));
    });
}

/**
 * Re-encrypts every stored provider key and every secret of a webhook that is not encrypted with the active key of the
 * ring, one at a time. It can be killed and run again, and run while the service runs: a key that its owner replaces
 * meanwhile is skipped. Afterwards older keys can be removed from the ring, once the new one is the first key of every API
 * process.
 *
 * @returns false when something remains that this ring does not open; all others are re-encrypted
 */
async function rotateProviderKeys(db: Db, output: Output, ring: readonly EncryptionKey[]): Promise<boolean> {
  const [active] = ring;
  if (active === undefined) throw new Error('the key ring is empty');
  const tally: Tally = { keys: 0, secrets: 0, unknown: new Map(), damaged: [] };
  for (const store of [providerKeys, webhookSecrets]) {
    for (let after: string | null = null; ; ) {
      const page: readonly Sealed[] = await store.list(db, active.kid, { after, limit: pageSize });
      for (const sealed of page) if (await rotate(db, ring, { store, sealed }, tally)) tally[store.counts]++;
      output.flicker(`Re-encrypted ${tally.keys} provider keys`);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
  report(output, active.kid, tally);
  const isComplete = tally.unknown.size === 0 && tally.damaged.length === 0;
  output.next(
    isComplete
      ? 'Remove the older keys from ENCRYPTION_KEYS once the new one is the first key of every API process.'
      : 'Add the missing key to ENCRYPTION_KEYS again and repeat this, or ask the owners to store their keys again.',
  );
  return isComplete;
}

const pageSize = 100;

type Sealed = SealedKey | SealedSecret;

/** A table of what is sealed. */
interface Store {
  readonly counts: 'keys' | 'secrets';
  readonly list: (...page: Parameters<typeof listKeysNotSealedWith>) => Promise<readonly Sealed[]>;
  readonly table: Parameters<typeof resealRow>[1];
}

const providerKeys: Store = { counts: 'keys', list: listKeysNotSealedWith, table: 'provider_keys' };
const webhookSecrets: Store = {
  counts: 'secrets',
  list: listSecretsNotSealedWith,
  table: 'webhook_secrets',
};

interface Tally {
  keys: number;
  secrets: number;
  /** What is stored by kid, for each kid that is not in the ring. */
  readonly unknown: Map<string, number>;
  readonly damaged: Sealed[];
}

/** @returns whether it was re-encrypted */
async function rotate(
  db: Db,
  ring: readonly EncryptionKey[],
  { store, sealed: from }: { readonly store: Store; readonly sealed: Sealed },
  tally: Tally,
): Promise<boolean> {
  const { id, accountId, provider } = from;
  const place = { keyId: id, accountId, provider };
  try {
    const to = seal(ring, unseal(ring, from, place), place, randomBytes);
    return await resealRow(db, store.table, { id, from, to });
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    if (error.problem === 'damaged') tally.damaged.push(from);
    else tally.unknown.set(error.kid, (tally.unknown.get(error.kid) ?? 0) + 1);
    return false;
  }
}

function report(output: Output, activeKid: string, { keys, secrets, unknown, damaged }: Tally): void {
  const unknownKids = [...unknown].map(([kid, count]) => ({ kid, keys: count }));
  output.result(
    {
      active_kid: activeKid,
      resealed: keys,
      resealed_webhook_secrets: secrets,
      unknown_kids: unknownKids,
      damaged: damaged.map(({ accountId, provider }) => ({ account_id: accountId, provider })),
    },
    [
      `Re-encrypted ${keys} provider keys with ${JSON.stringify(activeKid)}.`,
      ...(secrets === 0
        ? []
        : [`Re-encrypted ${secrets} secrets of webhooks with ${JSON.stringify(activeKid)}.`]),
      ...unknownKids.map(
        each =>
          `${each.keys} are encrypted with ${JSON.stringify(each.kid)}, which is not in ENCRYPTION_KEYS, and were skipped.`,
      ),
      ...damaged.map(
        ({ accountId, provider, kid }) =>
          `The ${provider} key of account ${accountId} does not open with ${JSON.stringify(kid)}: it was changed or moved, or ${JSON.stringify(kid)} is now another key.`,
      ),
    ].join('\n'),
  );
}
