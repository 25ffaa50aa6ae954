import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { BatchToCreate } from '../../../client/batches.js';
import { CouncilProblem } from '../../../client/council-problem.js';
import type { BatchPlanView, BatchView } from '../../../contract/batches/batch-shapes.js';
import { batchLanes } from '../../../purchase/batches.js';
import {
  batchInFlightDefault,
  batchInFlightMax,
  batchRowsMax,
  idempotencyKeptHours,
} from '../../../purchase/limits.js';
import type { CommandContext } from '../../command-context.js';
import type { CouncilApi } from '../../connections/council-api.js';
import { commandLine, examples, wholeNumber } from '../../terminal/command-line.js';
import { explainFailure } from '../../terminal/explain-failure.js';
import { exitCodes, Failure } from '../../terminal/failure.js';
import { batchLine, planLines } from './batch-text.js';
import { findQuestionEvents, type RefusedQuestion } from './question-set.js';
import { checkCount, readEventList } from './read-event-list.js';
import { endBatch } from './watch-batch.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('run')
    .description(
      `Buys the reports of the events of a file, at most ${batchRowsMax}, within a budget that is never exceeded. Shows the price, starts the batch, and shows its progress until it has ended or is paused. Ctrl-C ends only the watching. The same command within ${idempotencyKeptHours} hours goes on with the batch that it started, and buys nothing more; --again or another --name starts a new one. Exits with 1 if a row failed or was refused, or the batch is paused.`,
    )
    .summary('buy the reports of many events within a budget')
    .argument(
      '<file>',
      'ids one a line (# begins a comment), CSV or NDJSON with event_id, or a ForecastBench question set; - reads standard input',
    )
    .requiredOption('--budget <credits>', 'the most that the batch may spend', wholeNumber)
    .option('--dry-run', 'show what it would cost now; buy and store nothing')
    .addOption(
      new Option('--lane <lane>', 'how to pay: with credits, or with your own provider keys')
        .choices(batchLanes)
        .default('credits'),
    )
    .option('--name <name>', 'a label for the batch')
    .option('--max-credits-each <n>', 'the highest price of one report; a dearer one is refused', wholeNumber)
    .addOption(
      new Option(
        '--min-members <n>',
        'the fewest opinions of a report; a run with fewer fails and is refunded',
      ).choices(['2', '3', '4']),
    )
    .option(
      '--max-in-flight <n>',
      `how many reports run at once, at most ${batchInFlightMax}; by default ${batchInFlightDefault}`,
      wholeNumber,
    )
    .option('--again', 'start a new batch, also if the same one was started before')
    .addHelpText(
      'after',
      examples(
        'batch run events.txt --budget 2000 --dry-run',
        'batch run events.csv --budget 2000 --max-credits-each 150 --name march',
        'batch run 2031-03-02-llm.json --budget 5000 --json',
      ),
    )
    .action((file: string, options: RunOptions) => runBatch(context, file, options));
}

interface RunOptions {
  readonly budget: number;
  readonly dryRun?: true;
  readonly lane: (typeof batchLanes)[number];
  readonly name?: string;
  readonly maxCreditsEach?: number;
  readonly minMembers?: string;
  readonly maxInFlight?: number;
  readonly again?: true;
}

/** @throws Failure if the file is not valid, or the batch is not started or not watched to its end */
async function runBatch(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  const { output } = context;
  const api = context.customer();
  const { eventIds, names, refused } = await readEvents(context, api, file);
  for (const { place, id, source, reason } of refused)
    output.progress(`Left out ${place} (${source} ${id}): ${reason}`);
  const asked = batchOf(eventIds, options);
  const plan = await planOf(api, asked, options.dryRun === true);
  const lines = plan === null ? [] : planLines(plan, options.budget);
  const document = { plan, left_out: refused };
  if (options.dryRun === true) {
    output.result(document, lines.join('\n'));
    output.next('Nothing was bought. Without --dry-run, the batch starts.');
    return;
  }
  for (const line of lines) output.progress(line);
  const batch = await start(
    api,
    asked,
    options.again === true ? `cli-batch-${randomUUID()}` : keyOf(asked, names),
  );
  output.progress(`Batch   ${batch.batch_id}; it goes on if you stop this command`);
  if (wasThere(batch))
    output.progress(
      `        It was there already, since ${batch.created_at}: this command has bought nothing`,
    );
  await endBatch(context, api, batch, async ended => ({
    document: { ...document, batch: ended },
    text: batchLine(ended),
  }));
}

interface EventsOfFile {
  readonly eventIds: readonly string[];
  /** One for each event, however it is written. */
  readonly names: readonly string[];
  readonly refused: readonly RefusedQuestion[];
}

async function readEvents(context: CommandContext, api: CouncilApi, file: string): Promise<EventsOfFile> {
  const list = readEventList(await (file === '-' ? context.input() : readText(file)));
  if (list.kind === 'events') {
    const { events } = list;
    return {
      eventIds: events.map(({ eventId }) => eventId),
      names: events.map(({ name }) => name),
      refused: [],
    };
  }
  const { questions } = list;
  const show = (done: number) =>
    context.output.status(`        ${done} of ${questions.length} questions looked up`);
  const found = await findQuestionEvents(api, questions, show);
  checkCount(found.eventIds.length);
  return { ...found, names: found.eventIds };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(`${file} cannot be read: ${why}`, {
      next: 'Name the file, or - for standard input.',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}

function batchOf(events: readonly string[], options: RunOptions): BatchToCreate {
  const { budget, lane, name, maxCreditsEach, minMembers, maxInFlight } = options;
  return {
    events,
    lane,
    budget_credits: budget,
    ...(name === undefined ? {} : { name }),
    ...(maxCreditsEach === undefined ? {} : { max_credits_each: maxCreditsEach }),
    ...(minMembers === undefined ? {} : { min_members: Number(minMembers) }),
    ...(maxInFlight === undefined ? {} : { max_in_flight: maxInFlight }),
  };
}

/** Null if too many were asked for within a minute: the budget holds without it. */
async function planOf(
  api: CouncilApi,
  asked: BatchToCreate,
  isNeeded: boolean,
): Promise<BatchPlanView | null> {
  try {
    return await api.batches.plan(asked);
  } catch (error) {
    const isThrottled = error instanceof CouncilProblem && error.code === 'rate_limited';
    if (isThrottled && !isNeeded) return null;
    throw error;
  }
}

/** @throws Failure if a batch of these events was started with another budget, or nobody knows whether one was */
async function start(api: CouncilApi, asked: BatchToCreate, idempotencyKey: string): Promise<BatchView> {
  try {
    return await api.batches.create(asked, { idempotencyKey });
  } catch (error) {
    const { code } = error instanceof CouncilProblem ? error : { code: null };
    const see = commandLine('batch list');
    if (code === 'idempotency_mismatch') {
      throw new Failure(
        `A batch of these events was started within ${idempotencyKeptHours} hours, with another --budget or in another order. Nothing was bought.`,
        {
          next: `Find it with ${see}, and raise its budget with ${commandLine('batch resume ID --budget N')}; or start a new one with --again.`,
          cause: error,
        },
      );
    }
    if (code !== 'purchase_unknown') throw error;
    throw new Failure(explainFailure(error).message, {
      next: `Run the same command again, without --again: it finds the batch if it was started. With --again, see ${see} first.`,
      cause: error,
    });
  }
}

/**
 * The same for the same events and options, apart from the budget: an interrupted command that is typed again finds its
 * batch, and one with another budget is refused instead of buying a second one.
 */
function keyOf(
  { budget_credits: _budget, events: _events, ...options }: BatchToCreate,
  names: readonly string[],
): string {
  const same = JSON.stringify([names.toSorted(), Object.entries(options)]);
  return `cli-batch-${createHash('sha256').update(same).digest('hex')}`;
}

/** A new batch has begun with nothing when it is answered. */
function wasThere({ status, rows, credits }: BatchView): boolean {
  return status !== 'running' || rows.waiting < rows.total || credits.spent > 0;
}
