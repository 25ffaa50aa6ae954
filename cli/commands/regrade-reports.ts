import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { TemporalManifest } from '../../config/temporal/manifest.js';
import {
  type GradingProgress,
  type GradingResult,
  type GradingSelection,
  gradingFailureReasons,
  gradingName,
} from '../../council/track-record/grading.js';
import type { Output } from '../terminal/output.js';

const betweenLooksMs = 1_000;
const lookMaxMs = 5_000;

/**
 * Has the workers grade a selection of reports, and watches them: starts the batch of that name, or joins the one that
 * is at work. Ending this command ends no batch.
 * @returns false when something could not be graded
 */
export async function regradeReports(
  client: Client,
  manifest: Pick<TemporalManifest, 'task_queue' | 'grading'>,
  output: Output,
  selection: GradingSelection,
): Promise<boolean> {
  const batch = gradingName(selection);
  const handle = await client.workflow.start('regrade', {
    workflowId: batch,
    taskQueue: manifest.task_queue,
    args: [{ selection, settings: manifest.grading }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: `Grading · ${batch.slice('regrade/'.length)}`,
  });
  output.progress(`Batch   ${batch}; it goes on when this command is ended`);
  const look = async (): Promise<GradingProgress> =>
    client.withDeadline(Date.now() + lookMaxMs, () => handle.query<GradingProgress>('gradingProgress'));
  const result: GradingResult = await watched(handle.result(), look, line => output.status(line));
  output.result({ batch, ...result }, describe(result));
  output.next('The public figures are at /api/stats/track-record.');
  return result.failed === 0;
}

async function watched<Result>(
  result: Promise<Result>,
  look: () => Promise<GradingProgress>,
  tell: (line: string) => void,
): Promise<Result> {
  const over = result.then(
    () => true,
    () => true,
  );
  for (;;) {
    // Nobody answers while no worker runs; the batch waits for one, and so do we.
    const line = await look().then(progressLine, () => 'waiting for a worker');
    tell(`        ${line}`);
    if (await Promise.race([over, pause(betweenLooksMs, false, { ref: false })])) return result;
  }
}

function progressLine({ phase, of, events, resolved, ...tally }: GradingProgress): string {
  if (phase === 'resolving') return `resolving   ${events} events read, ${resolved} of them new`;
  if (phase !== 'grading' || of === null) return phase;
  const done = tally.graded + tally.pending + tally.unchanged;
  return `grading     ${bar(done, of)} ${done} of ${of}: ${counts(tally)}, ${tally.failed} failed`;
}

const barChars = 24;

/** More may turn up while a batch runs than there were when it counted. */
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
    `Events: ${events} read, ${resolved} with news of how they ended.`,
    `Reports: ${counts(tally)}.`,
    ...(tally.failed === 0 ? [] : [`Failed: ${tally.failed}. The next sweep tries them again:`]),
    ...failures.map(({ subject, id, reason }) => `  ${subject} ${id}: ${gradingFailureReasons[reason]}`),
    ...(unnamed > 0 ? [`  and ${unnamed} more`] : []),
  ].join('\n');
}
