import { Command, CommanderError } from 'commander';
import { packageFacts } from '../platform/settings/project-files.js';
import { createCommandContext } from './command-context.js';
import { registerCommands } from './register-commands.js';
import { commandLine } from './terminal/command-line.js';
import { explainFailure } from './terminal/explain-failure.js';
import { type ExitCode, exitCodes, exitCodesHelp } from './terminal/failure.js';
import { createOutput, paintFor } from './terminal/output.js';

/** `npm run council`: the entry point of the command line. */
const asJson = process.argv.includes('--json');
const output = createOutput({
  asJson,
  paint: paintFor(process.stdout),
  stdout: process.stdout,
  stderr: process.stderr,
  inPlace: process.stderr.isTTY && process.env['TERM'] !== 'dumb',
});
const context = createCommandContext(process.env, output, () => (process.exitCode = exitCodes.failed));

// A reader of only the first lines (`| head`) closes the pipe early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  // `--json` is accepted anywhere on the line, also after a subcommand.
  const typed = process.argv.filter(argument => argument !== '--json');
  const council = commandLineOf();
  await registerCommands(council, context, typed[2]);
  await council.parseAsync(typed);
  output.close();
} catch (error) {
  output.close();
  process.exit(error instanceof CommanderError ? endUsage(error) : endFailure(error));
}

function commandLineOf(): Command {
  return (
    new Command('council')
      .description('Runs prediction-market events past a council of four AI models.')
      .usage('<command> [options]')
      .option('--json', 'print one JSON document on standard output')
      .version(packageFacts().version)
      .configureHelp({ showGlobalOptions: true, styleTitle: paintFor(process.stdout).strong })
      // With --json the error is a document on standard output.
      .configureOutput(asJson ? { writeErr: () => undefined } : {})
      .showHelpAfterError('Add --help for usage.')
      .exitOverride()
      .addHelpText('after', `\n${exitCodesHelp}\n\nUsage in this repository: ${commandLine('<command>')}`)
  );
}

/** Commander has already printed the help or the error. */
function endUsage({ exitCode, message }: CommanderError): ExitCode {
  if (exitCode === 0) return exitCodes.ok;
  const next = 'Add --help for usage.';
  if (asJson) output.result({ error: { code: 'usage', detail: message.replace(/^error: /, ''), next } }, '');
  return exitCodes.usage;
}

function endFailure(error: unknown): ExitCode {
  const { message, next, exitCode, document } = explainFailure(error);
  if (asJson) output.result({ error: document }, '');
  else output.progress(`${paintFor(process.stderr).bad(message)}\n${next}`);
  return exitCode;
}
