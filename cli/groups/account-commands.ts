import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from './command-line.js';

/** Options that name an account: exactly one of them. */
interface AccountOptions {
  readonly email?: string;
  readonly id?: string;
}

/** Commands for operators: credits, API keys and stored provider keys of accounts. */
export function accountCommands(council: Command, context: CommandContext): void {
  creditsCommands(council, context);
  keysCommands(council, context);
  providerKeysCommands(council, context);
}

function creditsCommands(council: Command, context: CommandContext): void {
  council
    .command('credits')
    .description('operators: grant credits')
    .command('grant')
    .description(
      'Grants purchased credits to an account; what it owes is deducted. The ledger records the reason.',
    )
    .summary('grant credits to an account')
    .option('--email <address>', 'the account, by its address')
    .option('--id <id>', 'the account, by its id')
    .requiredOption('--credits <n>', 'the number of credits', wholeNumber)
    .requiredOption('--reason <text>', 'the reason, for the ledger')
    .addHelpText(
      'after',
      examples(
        'credits grant --email you@example.com --credits 500 --reason "first credits"',
        'credits grant --id 3f0c6c9e-8a0e-4b8e-9a55-0d5b1c7f2f11 --credits 500 --reason "first credits"',
      ),
    )
    .action(async ({ credits, reason, ...options }: AccountOptions & { credits: number; reason: string }) => {
      const { accountNamed } = await import('../commands/find-account.js');
      const account = accountNamed(options);
      const { grantAndReport } = await import('../commands/grant-credits.js');
      await context.database(db => grantAndReport(db, context.output, { account, credits, reason }));
    });
}

function keysCommands(council: Command, context: CommandContext): void {
  council
    .command('keys')
    .description('operators: API keys')
    .command('mint')
    .description('Mints an API key for an account. The key is shown only once.')
    .summary('mint an API key for an account')
    .option('--email <address>', 'the account, by its address')
    .option('--id <id>', 'the account, by its id')
    .requiredOption('--name <text>', 'what the key is for')
    .addHelpText(
      'after',
      examples(
        'keys mint --email you@example.com --name laptop',
        'keys mint --email you@example.com --name cron --json',
      ),
    )
    .action(async ({ name, ...options }: AccountOptions & { name: string }) => {
      const { accountNamed } = await import('../commands/find-account.js');
      const account = accountNamed(options);
      const { mintKey } = await import('../commands/mint-key.js');
      await context.database(db => mintKey(db, context.output, { account, name }));
    });
}

function providerKeysCommands(council: Command, context: CommandContext): void {
  council
    .command('provider-keys')
    .description('operators: provider keys that customers store')
    .command('rotate')
    .description(
      'Re-encrypts every stored provider key that is not encrypted with the first of ENCRYPTION_KEYS. Safe to run while the service runs, and to repeat. Exits with 1 if a key remains that none of ENCRYPTION_KEYS opens.',
    )
    .summary('re-encrypt stored keys with the first of ENCRYPTION_KEYS')
    .addHelpText('after', examples('provider-keys rotate'))
    .action(async () => {
      const { rotateProviderKeys } = await import('../commands/rotate-provider-keys.js');
      const { encryptionKeys } = await import('../../config/keys/encryption-keys.js');
      const ring = encryptionKeys(context.settings());
      await context.database(db => rotateProviderKeys(db, context.output, ring));
    });
}
