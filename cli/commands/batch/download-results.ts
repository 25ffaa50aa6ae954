import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { withRetries } from '../../../client/retries.js';
import { type ResultsFormat, resultsFormats } from '../../../contract/batches/batch-results.js';
import type { CommandContext } from '../../command-context.js';
import { examples } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';
import { batchId, batchLine } from './batch-text.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('results')
    .description(
      'Prints the results of a batch, one line a row, or writes them to a file and prints its SHA-256. Once the batch has ended the bytes never change, unless rows are tried again.',
    )
    .summary('print or write the results of a batch')
    .argument('<id>', 'the id of the batch, from `batch list`')
    .addOption(
      new Option('--format <format>', 'the format of the file').choices(resultsFormats).default('ndjson'),
    )
    .option('--out <file>', 'write the results to this file')
    .addHelpText('after', examples('batch results ID', 'batch results ID --format csv --out march.csv'))
    .action((id: string, options: ResultsOptions) => downloadResults(context, batchId(id), options));
}

interface ResultsOptions {
  readonly format: ResultsFormat;
  readonly out?: string;
}

/** The results of a batch that has just ended wait for the record, and only some are sent at a time. */
const busyMaxSeconds = 60;

async function downloadResults(
  context: CommandContext,
  id: string,
  { format, out }: ResultsOptions,
): Promise<void> {
  const { output } = context;
  const { batches } = context.customer();
  const batch = await batches.get(id);
  const results = await withRetries(() => batches.results(id, format), {
    isRepeatable: true,
    withinSeconds: busyMaxSeconds,
  });
  const sha256 = createHash('sha256').update(results).digest('hex');
  if (out === undefined) output.file({ format, sha256, results }, results);
  else {
    await write(out, results);
    output.result({ format, sha256, file: out }, `Wrote ${out}, SHA-256 ${sha256}.`);
  }
  if (batch.ended_at === null || batch.rows.running > 0)
    output.next(`The batch has not ended, so these are the results of now. ${batchLine(batch)}`);
}

async function write(file: string, results: string): Promise<void> {
  try {
    await writeFile(file, results);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(`${file} cannot be written: ${why}`, {
      next: 'Name another file with --out.',
      cause: error,
    });
  }
}
