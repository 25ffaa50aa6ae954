import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from './command-line.js';

/** What operators do for an account, and for the keys that accounts have stored. */
export function accountCommands(council: Command, here: CommandContext): void {
  creditsCommands(council, here);
  keysCommands(council, here);
  providerKeysCommands(council, here);
}

function creditsCommands(council: Command, here: CommandContext): void {
  council
    .command('credits')
    .description('operators: give credits')
    .command('grant')
    .description('Gives an account purchased credits; the ledger keeps the reason.')
    .summary('give an account credits')
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--credits <n>', 'how many', wholeNumber)
    .requiredOption('--reason <text>', 'why, for the ledger')
    .addHelpText(
      'after',
      examples('credits grant --email you@example.com --credits 500 --reason "first credits"'),
    )
    .action(async (grant: { email: string; credits: number; reason: string }) => {
      const { grantCredits } = await import('../commands/grant-credits.js');
      await here.database(db => grantCredits(db, here.output, grant));
    });
}

function keysCommands(council: Command, here: CommandContext): void {
  council
    .command('keys')
    .description('operators: API keys')
    .command('mint')
    .description('Mints an API key for an account. It is shown this once.')
    .summary('mint an API key for an account')
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--name <text>', 'what the key is for')
    .addHelpText(
      'after',
      examples(
        'keys mint --email you@example.com --name laptop',
        'keys mint --email you@example.com --name cron --json',
      ),
    )
    .action(async (key: { email: string; name: string }) => {
      const { mintKey } = await import('../commands/mint-key.js');
      await here.database(db => mintKey(db, here.output, key));
    });
}

function providerKeysCommands(council: Command, here: CommandContext): void {
  council
    .command('provider-keys')
    .description("operators: the callers' own provider keys")
    .command('rotate')
    .description(
      'Seals every stored provider key anew that is not sealed with the first of ENCRYPTION_KEYS. May run beside the service, and again; ends with 1 when a key is left that no key of the ring opens.',
    )
    .summary('seal stored keys anew with the first of ENCRYPTION_KEYS')
    .addHelpText('after', examples('provider-keys rotate'))
    .action(async () => {
      const { rotateProviderKeys } = await import('../commands/rotate-provider-keys.js');
      const { encryptionKeys } = await import('../../config/keys/encryption-keys.js');
      const ring = encryptionKeys(here.settings());
      await here.database(db => rotateProviderKeys(db, here.output, ring));
    });
}
