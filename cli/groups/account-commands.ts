import type { Command } from 'commander';
import type { Db } from '../../db/database.js';
import type { CommandContext } from '../command-context.js';
import type * as manageAccount from '../operators/manage-account.js';
import type { AccountCommand } from '../operators/manage-account.js';
import { examples, wholeNumber } from './command-line.js';

/** Options that name an account: exactly one of them. */
interface AccountOptions {
  readonly email?: string;
  readonly id?: string;
}

/** Commands for operators: accounts, their credits, API keys and stored provider keys. */
export function accountCommands(council: Command, context: CommandContext): void {
  standingCommands(council, context);
  creditsCommands(council, context);
  keysCommands(council, context);
  providerKeysCommands(council, context);
}

function standingCommands(council: Command, context: CommandContext): void {
  const accounts = council.command('accounts').description('operators: accounts');
  const run = accountRunner(context);
  named(accounts.command('show'))
    .description('Shows an account: its address, whether it may buy, its credits, keys and last purchases.')
    .summary('show an account')
    .addHelpText('after', examples('accounts show --email you@example.com', 'accounts show --id ID --json'))
    .action((options: AccountOptions) =>
      run(options, ({ showAccount }, db, account) => showAccount(db, context.output, account)),
    );
  named(accounts.command('suspend'))
    .description(
      'Suspends an account: it buys nothing more. It still reads what it owns, and its open runs end as always.',
    )
    .summary('stop an account from buying')
    .requiredOption('--reason <text>', 'the reason, for other operators')
    .addHelpText('after', examples('accounts suspend --email you@example.com --reason "made-up addresses"'))
    .action(({ reason, ...options }: AccountOptions & { reason: string }) =>
      run(options, ({ suspend }, db, account) => suspend(db, context.output, { ...account, reason })),
    );
  named(accounts.command('restore'))
    .description('Lets a suspended account buy again.')
    .summary('let an account buy again')
    .addHelpText('after', examples('accounts restore --email you@example.com'))
    .action((options: AccountOptions) =>
      run(options, ({ restore }, db, account) => restore(db, context.output, account)),
    );
  named(accounts.command('verify'))
    .description("Takes the address of an account as its owner's, without a mail.")
    .summary('verify the address of an account')
    .addHelpText('after', examples('accounts verify --id ID'))
    .action((options: AccountOptions) =>
      run(options, ({ verify }, db, account) => verify(db, context.output, account)),
    );
}

/** Runs a command on the account that the options name. */
function accountRunner(context: CommandContext) {
  return async (
    options: AccountOptions,
    use: (commands: ManageAccount, db: Db, named: AccountCommand) => Promise<void>,
  ): Promise<void> => {
    const { accountNamed } = await import('../commands/find-account.js');
    const { salesPolicyOf } = await import('../../platform/settings/sales-policy.js');
    const commands = await import('../operators/manage-account.js');
    const policy = salesPolicyOf(context.settings());
    const named = { account: accountNamed(options), policy, now: new Date() };
    await context.database(db => use(commands, db, named));
  };
}

type ManageAccount = typeof manageAccount;

/** The options that name an account. */
function named(command: Command): Command {
  return command
    .option('--email <address>', 'the account, by its address')
    .option('--id <id>', 'the account, by its id');
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
      const { encryptionKeys } = await import('../../platform/keys/encryption-keys.js');
      const ring = encryptionKeys(context.settings());
      await context.database(db => rotateProviderKeys(db, context.output, ring));
    });
}
