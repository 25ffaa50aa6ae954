import { Command, CommanderError } from 'commander';
import { packageFacts } from '../platform/settings/project-files.js';
import type { Environment } from '../platform/settings/settings.js';
import { type CommandInput, createCommandContext } from './command-context.js';
import { registerCommands } from './register-commands.js';
import { commandLine } from './terminal/command-line.js';
import { explainFailure } from './terminal/explain-failure.js';
import { type ExitCode, exitCodes, exitCodesHelp } from './terminal/failure.js';
import { createOutput, type Output, paintFor } from './terminal/output.js';

/** Where the command line reads and writes: the streams of a process, or of a test. */
export interface Streams extends CommandInput {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Runs one command line, from the first word after `council`. @returns its exit code */
export async function runCouncil(
  typed: readonly string[],
  env: Environment,
  streams: Streams,
): Promise<ExitCode> {
  const { stdout, stderr } = streams;
  const asJson = typed.includes('--json');
  const inPlace = stderr.isTTY === true && env['TERM'] !== 'dumb';
  const output = createOutput({ asJson, paint: paintFor(stdout), stdout, stderr, inPlace });
  let exitCode: ExitCode = exitCodes.ok;
  const context = createCommandContext(env, output, streams, code => (exitCode = code));
  try {
    // `--json` is accepted anywhere on the line, also after a subcommand.
    const words = typed.filter(word => word !== '--json');
    const council = commandLineOf(streams, asJson);
    await registerCommands(council, context, words[0]);
    await council.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    output.close();
    return error instanceof CommanderError
      ? endUsage(error, asJson, output)
      : endFailure(error, asJson, output, paintFor(stderr).bad);
  } finally {
    output.close();
  }
}

function commandLineOf({ stdout, stderr }: Streams, asJson: boolean): Command {
  return new Command('council')
    .description('Runs prediction-market events past a council of four AI models.')
    .usage('<command> [options]')
    .option('--json', 'print one JSON document on standard output')
    .version(packageFacts().version)
    .configureHelp({ showGlobalOptions: true, styleTitle: paintFor(stdout).strong })
    .configureOutput({
      writeOut: text => void stdout.write(text),
      // With --json the error is a document on standard output.
      writeErr: asJson ? () => undefined : text => void stderr.write(text),
    })
    .showHelpAfterError('Add --help for usage.')
    .exitOverride()
    .addHelpText('after', `\n${exitCodesHelp}\n\nUsage in this repository: ${commandLine('<command>')}`);
}

/** Commander has already printed the help or the error. */
function endUsage({ exitCode, message }: CommanderError, asJson: boolean, output: Output): ExitCode {
  if (exitCode === 0) return exitCodes.ok;
  const next = 'Add --help for usage.';
  if (asJson) output.result({ error: { code: 'usage', detail: message.replace(/^error: /, ''), next } }, '');
  return exitCodes.usage;
}

function endFailure(
  error: unknown,
  asJson: boolean,
  output: Output,
  bad: (text: string) => string,
): ExitCode {
  const { message, next, exitCode, document } = explainFailure(error);
  if (asJson) output.result({ error: document }, '');
  else output.progress(`${bad(message)}\n${next}`);
  return exitCode;
}
