import { randomBytes, randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { apiKeyHash, mintApiKey } from '../../db/accounts/api-keys.js';
import type { Db } from '../../db/database.js';
import { displayPrefix, makeApiKey } from '../../purchase/api-key.js';
import { liveKeysPerAccount } from '../../purchase/limits.js';
import type { CommandContext } from '../command-context.js';
import { commandLine, examples } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import {
  type AccountName,
  type AccountOptions,
  accountNamed,
  named,
  requireAccount,
} from './find-account.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  named(group.command('mint'))
    .description('Mints an API key for an account. The key is shown only once.')
    .summary('mint an API key for an account')
    .requiredOption('--name <text>', 'what the key is for')
    .addHelpText(
      'after',
      examples(
        'keys mint --email you@example.com --name laptop',
        'keys mint --email you@example.com --name cron --json',
      ),
    )
    .action(async ({ name, ...options }: AccountOptions & { name: string }) => {
      const account = accountNamed(options);
      await context.database(db => mintKey(db, context.output, { account, name }));
    });
}

/** Mints a key for the account, and shows it once. */
async function mintKey(
  db: Db,
  output: Output,
  { account: named, name }: { readonly account: AccountName; readonly name: string },
): Promise<void> {
  const account = await requireAccount(db, named);
  const key = makeApiKey(randomBytes);
  const minted = await mintApiKey(db, {
    id: randomUUID(),
    accountId: account.id,
    name,
    keyPrefix: displayPrefix(key),
    keyHash: apiKeyHash(key),
    now: new Date(),
  });
  if (minted === null) {
    throw new Failure(`The account already has ${liveKeysPerAccount} live keys.`, {
      next: 'Its owner can revoke one in the browser, or with DELETE /api/keys/ID and a session.',
    });
  }
  // The key alone on standard output, so that `KEY=$(…)` is all a script needs.
  output.result({ id: minted.id, name, key_prefix: minted.key_prefix, key }, key);
  output.next('Store this key now: it is not shown again. To use it here:');
  output.next(`  export COUNCIL_API_KEY=${key}`);
  output.next(`  ${commandLine('report run "fed cut"')}`);
}
