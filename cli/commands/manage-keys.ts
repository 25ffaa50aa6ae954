import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { Account } from '../../db/accounts/accounts.js';
import {
  type ApiKey,
  apiKeyHash,
  listApiKeys,
  mintApiKey,
  revokeApiKey,
} from '../../db/accounts/api-keys.js';
import type { Db } from '../../db/database.js';
import { displayPrefix, makeApiKey } from '../../purchase/api-key.js';
import { type KeyLimits, type KeyScope, keyEndFault, keyScopes } from '../../purchase/key-limits.js';
import { keyCreditsPerDayMax, liveKeysPerAccount } from '../../purchase/limits.js';
import type { CommandContext } from '../command-context.js';
import { mailNewKey } from '../connections/mail-new-key.js';
import { commandLine, examples, moment, wholeNumber } from '../terminal/command-line.js';
import { exitCodes, Failure } from '../terminal/failure.js';
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
  registerMint(group, context);
  registerList(group, context);
  registerRevoke(group, context);
}

function registerMint(group: Command, context: CommandContext): void {
  named(group.command('mint'))
    .description('Mints an API key for an account. The key is shown only once.')
    .summary('mint an API key for an account')
    .requiredOption('--name <text>', 'what the key is for')
    .addOption(new Option('--scope <scope>', 'what the key may do: `spend` unless set').choices(keyScopes))
    .option('--expires-at <time>', 'from then on the key is refused', moment)
    .option('--max-credits-per-day <n>', 'the most that the key may spend in a UTC day', wholeNumber)
    .addHelpText(
      'after',
      examples(
        'keys mint --email you@example.com --name laptop',
        'keys mint --email you@example.com --name cron --json',
        'keys mint --email you@example.com --name colleague --expires-at 2031-03-05 --max-credits-per-day 300',
        'keys mint --email you@example.com --name dashboard --scope read',
      ),
    )
    .action(async ({ name, scope, expiresAt, maxCreditsPerDay, ...options }: MintOptions) => {
      const account = accountNamed(options);
      const limits = limitsOf({ scope, expiresAt, maxCreditsPerDay }, new Date());
      await context.database(async db => {
        const minted = await mintKey(db, context.output, { account, name, limits });
        await mailNewKey(context.settings(), minted.account, minted.keyPrefix);
      });
    });
}

interface LimitOptions {
  readonly scope?: KeyScope | undefined;
  readonly expiresAt?: Date | undefined;
  readonly maxCreditsPerDay?: number | undefined;
}

type MintOptions = AccountOptions & LimitOptions & { readonly name: string };

function limitsOf({ scope = 'spend', expiresAt, maxCreditsPerDay }: LimitOptions, now: Date): KeyLimits {
  const endFault = expiresAt === undefined ? null : keyEndFault(expiresAt, now);
  if (endFault !== null) throw wrongLimit(`--expires-at ${endFault}.`);
  if (maxCreditsPerDay !== undefined && maxCreditsPerDay > keyCreditsPerDayMax)
    throw wrongLimit(`--max-credits-per-day must be at most ${keyCreditsPerDayMax}.`);
  return { scope, expiresAt: expiresAt ?? null, maxCreditsPerDay: maxCreditsPerDay ?? null };
}

function wrongLimit(message: string): Failure {
  return new Failure(message, { next: 'No key was minted.', exitCode: exitCodes.usage });
}

/** Mints a key for the account, and shows it once. @returns whose it is, and its first characters */
async function mintKey(
  db: Db,
  output: Output,
  { account: named, name, limits }: { account: AccountName; name: string; limits: KeyLimits },
): Promise<{ readonly account: Account; readonly keyPrefix: string }> {
  const account = await requireAccount(db, named);
  const key = makeApiKey(randomBytes);
  const minted = await mintApiKey(db, {
    id: randomUUID(),
    accountId: account.id,
    name,
    keyPrefix: displayPrefix(key),
    keyHash: apiKeyHash(key),
    limits,
    now: new Date(),
  });
  if (minted === null) {
    throw new Failure(`The account already has ${liveKeysPerAccount} live keys.`, {
      next: `See ${commandLine('keys list')}, and revoke one with ${commandLine('keys revoke')}. Its owner can, too, in the browser.`,
    });
  }
  // The key alone on standard output, so that `KEY=$(…)` is all a script needs.
  const { id, key_prefix, scope, expires_at, max_credits_per_day } = minted;
  output.result(
    { id, name, key_prefix, scope, expires_at: expires_at?.toISOString() ?? null, max_credits_per_day, key },
    key,
  );
  output.next('Store this key now: it is not shown again. To use it here:');
  output.next(`  export COUNCIL_API_KEY=${key}`);
  output.next(`  ${commandLine('report run "fed cut"')}`);
  return { account, keyPrefix: key_prefix };
}

function registerList(group: Command, context: CommandContext): void {
  const { output } = context;
  named(group.command('list'))
    .description(
      'Lists the API keys of an account that are not revoked: their limits, last use and its network.',
    )
    .summary('list the API keys of an account')
    .addHelpText('after', examples('keys list --email you@example.com'))
    .action(async (options: AccountOptions) => {
      const account = accountNamed(options);
      await context.database(async db => {
        const { id } = await requireAccount(db, account);
        const keys = await listApiKeys(db, id, new Date());
        const lines = keys.map(lineOf).join('\n');
        output.result({ keys: keys.map(documentOf) }, lines === '' ? 'The account has no keys.' : lines);
      });
    });
}

function registerRevoke(group: Command, context: CommandContext): void {
  const { output } = context;
  named(group.command('revoke'))
    .description('Revokes an API key of an account: it stops working at once, for good.')
    .summary('revoke an API key')
    .requiredOption('--key <id>', 'the id of the key, from `keys list`')
    .addHelpText('after', examples('keys revoke --email you@example.com --key ID'))
    .action(async ({ key, ...options }: AccountOptions & { key: string }) => {
      const account = accountNamed(options);
      await context.database(async db => {
        const { id } = await requireAccount(db, account);
        const isId = z.uuid().safeParse(key).success;
        if (!isId || !(await revokeApiKey(db, id, key, new Date())))
          throw new Failure(`The account has no key with the id ${key}, or it is revoked.`, {
            next: `See ${commandLine(`keys list --id ${id}`)}.`,
          });
        output.result({ id: key, revoked: true }, `The key ${key} is revoked.`);
      });
    });
}

function documentOf({ created_at, last_used_at, expires_at, ...key }: ApiKey) {
  return {
    ...key,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

function lineOf(key: ApiKey): string {
  const { expires_at: end, max_credits_per_day: most, last_used_at: used, last_used_from: from } = key;
  return [
    `${key.id}  ${key.key_prefix} (${key.name})`,
    key.scope === 'read' ? 'reads' : 'spends',
    ...(most === null ? [] : [`at most ${most} credits a day`]),
    ...(end === null ? [] : [`until ${end.toISOString()}`]),
    used === null ? 'never used' : `last used ${used.toISOString()}${from === null ? '' : ` from ${from}`}`,
  ].join(', ');
}
