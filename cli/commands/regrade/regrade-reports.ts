import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import { type Command, Option } from 'commander';
import type { Db } from '../../../db/database.js';
import type { TemporalManifest } from '../../../platform/temporal/manifest.js';
import { graderVersion } from '../../../record/grades/grade.js';
import {
  type GradingProgress,
  type GradingResult,
  type GradingSelection,
  gradingFailureReasons,
  gradingName,
} from '../../../record/grades/grading.js';
import type { CommandContext } from '../../command-context.js';
import { examples } from '../../terminal/command-line.js';
import { exitCodes, Failure } from '../../terminal/failure.js';
import type { Output } from '../../terminal/output.js';
import { RegradeFile } from './regrade-result.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('regrade')
    .description(
      'Starts a batch in which the workers grade reports whose events are over, and shows its progress. By default it grades the reports that are due. Grading again does not change correct grades. The batch continues if this command is interrupted; typed again, the command joins it. Exits with 1 if something could not be graded.',
    )
    .summary('operators: grade reports whose events are over')
    .addOption(new Option('--event <id>', 'reports on this event').conflicts(['since', 'until', 'all']))
    .addOption(
      new Option('--since <date>', 'reports completed on YYYY-MM-DD (UTC) or later').conflicts('all'),
    )
    .addOption(
      new Option(
        '--until <date>',
        'with --since: reports completed on YYYY-MM-DD (UTC) or earlier',
      ).conflicts('all'),
    )
    .option('--all', 'all reports in the record')
    .option(
      '--out <file>',
      'write the result as JSON: counts, each failure, and each report that got another grade, with why; needs DATABASE_URL',
    )
    .addHelpText(
      'after',
      examples(
        'regrade',
        'regrade --since 2031-03-01 --until 2031-03-31 --out march.json',
        'regrade --all --json',
      ),
    )
    .action(async (options: RegradeOptions) => {
      const selection = selectionOf(options);
      const { out } = options;
      const run = (db: Db | null) =>
        context.temporal(({ client, manifest }) => {
          const file = db === null || out === undefined ? null : new RegradeFile(out, db, selection);
          return regradeReports({ client, manifest, output: context.output, file }, selection);
        });
      await (out === undefined ? run(null) : context.database(run));
    });
}

interface RegradeOptions {
  readonly event?: string;
  readonly since?: string;
  readonly until?: string;
  readonly all?: boolean;
  readonly out?: string;
}

/**
 * The reports that the options select; without options, those that are due.
 * @throws Failure for an invalid date, or a range that ends before it begins
 */
function selectionOf({ event, since, until, all }: RegradeOptions): GradingSelection {
  if (event !== undefined) return { kind: 'event', eventId: event };
  if (since === undefined && until !== undefined) throw invalid('--until needs --since.');
  if (since === undefined) return all === true ? { kind: 'all', grader: graderVersion } : { kind: 'due' };
  const date = parseDate('--since', since);
  if (until === undefined) return { kind: 'since', date };
  const last = parseDate('--until', until);
  if (last < date) throw invalid(`--until: ${last} is before --since ${date}.`);
  return { kind: 'since', date, until: last };
}

function parseDate(option: string, text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw invalid(`${option}: ${text} is not a date; write YYYY-MM-DD.`);
}

function invalid(message: string): Failure {
  return new Failure(message, { next: 'Add --help for usage.', exitCode: exitCodes.usage });
}

const pollIntervalMs = 1_000;
const queryTimeoutMs = 5_000;

/**
 * Starts the grading batch of that name, or joins it if it runs already, and shows its progress. The batch continues
 * if this command is interrupted.
 * @returns false when something could not be graded
 */
async function regradeReports(
  { client, manifest, output, file }: RegradeMeans,
  selection: GradingSelection,
): Promise<boolean> {
  const batch = gradingName(selection);
  const handle = await startGrading(client, manifest, selection);
  const since = file?.begin(await startOf(client, batch)) ?? null;
  output.progress(`Batch   ${batch}; it continues if this command is interrupted`);
  const query = async (): Promise<GradingProgress> =>
    client.withDeadline(Date.now() + queryTimeoutMs, () => handle.query<GradingProgress>('gradingProgress'));
  const result: GradingResult = await followed(handle.result(), query, line => output.status(line));
  if (since !== null) await file?.finish(since, result);
  output.result({ batch, ...result }, describe(result));
  output.next('The public figures are at /api/stats/track-record.');
  return result.failed === 0;
}

interface RegradeMeans {
  readonly client: Client;
  readonly manifest: GradingManifest;
  readonly output: Output;
  /** Null without `--out`. */
  readonly file: RegradeFile | null;
}

type GradingManifest = Pick<TemporalManifest, 'task_queue' | 'grading'>;

/** When the batch began: a long one has several runs. */
async function startOf(client: Client, batch: string): Promise<Date> {
  const { raw, startTime } = await client.workflow.getHandle(batch).describe();
  const first = raw.workflowExecutionInfo?.firstRunId ?? '';
  if (first === '') return startTime;
  return (await client.workflow.getHandle(batch, first).describe()).startTime;
}

/** Starts the grading batch of that name, or joins it if it runs already. */
export async function startGrading(client: Client, manifest: GradingManifest, selection: GradingSelection) {
  const batch = gradingName(selection);
  return client.workflow.start('regrade', {
    workflowId: batch,
    taskQueue: manifest.task_queue,
    args: [{ selection, settings: manifest.grading }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: `Grading · ${batch.slice('regrade/'.length)}`,
  });
}

async function followed<Result>(
  result: Promise<Result>,
  query: () => Promise<GradingProgress>,
  show: (line: string) => void,
): Promise<Result> {
  const finished = result.then(
    () => true,
    () => true,
  );
  for (;;) {
    // A query fails while there is no worker; the batch waits for one.
    const line = await query().then(progressLine, () => 'waiting for a worker');
    show(`        ${line}`);
    if (await Promise.race([finished, pause(pollIntervalMs, false, { ref: false })])) return result;
  }
}

function progressLine({ phase, of, events, resolved, ...tally }: GradingProgress): string {
  if (phase === 'resolving') return `resolving   ${events} events read, ${resolved} of them new`;
  if (phase !== 'grading' || of === null) return phase;
  const done = tally.graded + tally.pending + tally.unchanged;
  return `grading     ${bar(done, of)} ${done} of ${of}: ${counts(tally)}, ${tally.failed} failed`;
}

const barChars = 24;

/** `done` can exceed `of`: reports that become due after the batch counted them are graded too. */
function bar(done: number, of: number): string {
  const full = of === 0 ? barChars : Math.min(barChars, Math.floor((done / of) * barChars));
  return `[${'#'.repeat(full)}${'.'.repeat(barChars - full)}]`;
}

function counts({
  graded,
  unchanged,
  pending,
}: Pick<GradingResult, 'graded' | 'unchanged' | 'pending'>): string {
  return `${graded} graded, ${unchanged} unchanged, ${pending} pending`;
}

function describe({ events, resolved, failures, ...tally }: GradingResult): string {
  const unnamed = tally.failed - failures.length;
  return [
    `Events: ${events} read, ${resolved} newly resolved.`,
    `Reports: ${counts(tally)}.`,
    ...(tally.failed === 0 ? [] : [`Failed: ${tally.failed}. The next sweep tries them again:`]),
    ...failures.map(({ subject, id, reason }) => `  ${subject} ${id}: ${gradingFailureReasons[reason]}`),
    ...(unnamed > 0 ? [`  and ${unnamed} more`] : []),
  ].join('\n');
}
