import { type Command, Option } from 'commander';
import type { BatchRowList } from '../../../client/api-types.js';
import type { BatchRowView } from '../../../contract/batches/batch-shapes.js';
import { type BatchRowState, batchRowStates } from '../../../purchase/batches.js';
import { pageSizeDefault, pageSizeMax } from '../../../purchase/limits.js';
import type { CommandContext } from '../../command-context.js';
import type { CouncilApi } from '../../connections/council-api.js';
import { examples, wholeNumber } from '../../terminal/command-line.js';
import type { Output } from '../../terminal/output.js';
import { batchId, namedBatchLine, rowLine } from './batch-text.js';
import { endBatch, type PresentBatch, printBatch } from './watch-batch.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('list')
    .description('Lists the batches of the account, newest first.')
    .summary('list your batches')
    .option('--limit <n>', `how many: at most ${pageSizeMax}`, wholeNumber, pageSizeDefault)
    .addHelpText('after', examples('batch list', 'batch list --limit 5 --json'))
    .action(({ limit }: { limit: number }) => listBatches(context.customer(), context.output, limit));
  group
    .command('show')
    .description(
      'Shows how far a batch is and what it has spent. With --wait, shows its progress until it has ended or is paused, and exits with 1 unless all of its rows completed.',
    )
    .summary('show a batch, or follow it')
    .argument('<id>', 'the id of the batch, from `batch list`')
    .option('--wait', 'follow it; Ctrl-C ends only the watching')
    .option('--rows', 'show its rows as well')
    .addOption(
      new Option('--state <state>', 'only rows in this state')
        .choices(batchRowStates)
        .implies({ rows: true }),
    )
    .addHelpText('after', examples('batch show ID --wait', 'batch show ID --rows --state failed'))
    .action((id: string, options: ShowOptions) => showBatch(context, batchId(id), options));
}

interface ShowOptions {
  readonly wait?: true;
  readonly rows?: true;
  readonly state?: BatchRowState;
}

async function listBatches(api: CouncilApi, output: Output, limit: number): Promise<void> {
  const list = await api.batches.list({ per_page: Math.min(limit, pageSizeMax) });
  const lines = list.batches.map(namedBatchLine);
  output.result(list, lines.length === 0 ? 'The account has no batches.' : lines.join('\n'));
}

async function showBatch(context: CommandContext, id: string, options: ShowOptions): Promise<void> {
  const api = context.customer();
  const batch = await api.batches.get(id);
  const present: PresentBatch = async shown => {
    if (options.rows !== true) return { document: shown, text: namedBatchLine(shown) };
    const rows = await readRows(api, id, options.state);
    return {
      document: { batch: shown, rows },
      text: [namedBatchLine(shown), ...rows.map(rowLine)].join('\n'),
    };
  };
  if (options.wait === true) await endBatch(context, api, batch, present);
  else await printBatch(context.output, batch, present);
}

const rowsPerPage = 100;

async function readRows(api: CouncilApi, id: string, state?: BatchRowState): Promise<BatchRowView[]> {
  const all: BatchRowView[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const query = { after, limit: rowsPerPage, ...(state === undefined ? {} : { state }) };
    const { rows, next }: BatchRowList = await api.batches.rows(id, query);
    all.push(...rows);
    after = next;
  }
  return all;
}
