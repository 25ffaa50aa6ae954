import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import { type Command, Option } from 'commander';
import type { TemporalManifest } from '../../platform/temporal/manifest.js';
import { graderVersion } from '../../record/grades/grade.js';
import {
  type GradingProgress,
  type GradingResult,
  type GradingSelection,
  gradingFailureReasons,
  gradingName,
} from '../../record/grades/grading.js';
import type { CommandContext } from '../command-context.js';
import { examples } from '../terminal/command-line.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('regrade')
    .description(
      'Starts a batch in which the workers grade reports whose events are over, and shows its progress. By default it grades the reports that are due. Grading again does not change correct grades. The batch continues if this command is interrupted. Exits with 1 if something could not be graded.',
    )
    .summary('operators: grade reports whose events are over')
    .addOption(new Option('--event <id>', 'reports on this event').conflicts(['since', 'all']))
    .addOption(
      new Option('--since <date>', 'reports completed on YYYY-MM-DD (UTC) or later').conflicts('all'),
    )
    .option('--all', 'all reports in the record')
    .addHelpText('after', examples('regrade', 'regrade --since 2031-03-01', 'regrade --all --json'))
    .action(async (options: { event?: string; since?: string; all?: boolean }) => {
      const selection = selectionOf(options);
      await context.temporal(({ client, manifest }) =>
        regradeReports(client, manifest, context.output, selection),
      );
    });
}

/**
 * The reports that the options select; without options, those that are due.
 * @throws Failure for an invalid date
 */
function selectionOf({
  event,
  since,
  all,
}: {
  event?: string;
  since?: string;
  all?: boolean;
}): GradingSelection {
  if (event !== undefined) return { kind: 'event', eventId: event };
  if (since !== undefined) return { kind: 'since', date: parseDate(since) };
  return all === true ? { kind: 'all', grader: graderVersion } : { kind: 'due' };
}

function parseDate(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new Failure(`--since: ${text} is not a date; write YYYY-MM-DD.`, {
    next: 'Add --help for usage.',
    exitCode: exitCodes.usage,
  });
}

const pollIntervalMs = 1_000;
const queryTimeoutMs = 5_000;

/**
 * Starts the grading batch of that name, or joins it if it runs already, and shows its progress. The batch continues
 * if this command is interrupted.
 * @returns false when something could not be graded
 */
async function regradeReports(
  client: Client,
  manifest: Pick<TemporalManifest, 'task_queue' | 'grading'>,
  output: Output,
  selection: GradingSelection,
): Promise<boolean> {
  const batch = gradingName(selection);
  const handle = await startGrading(client, manifest, selection);
  output.progress(`Batch   ${batch}; it continues if this command is interrupted`);
  const query = async (): Promise<GradingProgress> =>
    client.withDeadline(Date.now() + queryTimeoutMs, () => handle.query<GradingProgress>('gradingProgress'));
  const result: GradingResult = await followed(handle.result(), query, line => output.status(line));
  output.result({ batch, ...result }, describe(result));
  output.next('The public figures are at /api/stats/track-record.');
  return result.failed === 0;
}

/** Starts the grading batch of that name, or joins it if it runs already. */
export async function startGrading(
  client: Client,
  manifest: Pick<TemporalManifest, 'task_queue' | 'grading'>,
  selection: GradingSelection,
) {
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
