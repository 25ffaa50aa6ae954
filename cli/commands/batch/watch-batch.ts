import { CouncilProblem } from '../../../client/council-problem.js';
import { isBusy, pause } from '../../../client/retries.js';
import type { BatchView } from '../../../contract/batches/batch-shapes.js';
import type { CommandContext } from '../../command-context.js';
import type { CouncilApi } from '../../connections/council-api.js';
import { commandLine } from '../../terminal/command-line.js';
import { explainFailure } from '../../terminal/explain-failure.js';
import { exitCodes, Failure } from '../../terminal/failure.js';
import type { Output } from '../../terminal/output.js';
import { batchLine, nextStep } from './batch-text.js';

/** What a command prints about a batch. */
export type PresentBatch = (
  batch: BatchView,
) => Promise<{ readonly document: unknown; readonly text: string }>;

/** Follows a batch to its end and prints it. The command fails unless all rows completed. */
export async function endBatch(
  context: CommandContext,
  api: CouncilApi,
  batch: BatchView,
  present: PresentBatch,
): Promise<void> {
  const ended = await watchBatch(context, api, batch);
  await printBatch(context.output, ended, present);
  const { rows, credits, paused_reason: reason } = ended;
  if (rows.completed === rows.total) return;
  const isTooDear = reason === 'budget' || reason === 'balance';
  context.markFailed(
    isTooDear && rows.completed === 0 && credits.spent === 0 ? exitCodes.refused : exitCodes.failed,
  );
}

/** Prints a batch, and what its owner can do next. */
export async function printBatch(output: Output, batch: BatchView, present: PresentBatch): Promise<void> {
  const { document, text } = await present(batch);
  output.result(document, text);
  const next = nextStep(batch);
  if (next !== null) output.next(next);
}

/**
 * Shows the progress of a batch on one line until it has ended, or it is paused until its owner acts, and no report of it
 * runs. Ctrl-C ends only the watching.
 *
 * @throws Failure that says how to go on, if it was interrupted or the service stays away
 */
async function watchBatch(
  { output, interruption }: Pick<CommandContext, 'output' | 'interruption'>,
  api: CouncilApi,
  batch: BatchView,
): Promise<BatchView> {
  const signal = interruption();
  let current = batch;
  try {
    for (;;) {
      output.status(batchLine(current));
      if (isStill(current)) return current;
      const next = await readWhenPossible(api, current.batch_id, signal);
      if (JSON.stringify(next) === JSON.stringify(current)) await pause(pauseUnchangedMs, signal);
      current = next;
    }
  } catch (error) {
    const { batch_id: id } = current;
    const why = signal.aborted
      ? 'you stopped watching it'
      : `this command lost track of it: ${explainFailure(error).message}`;
    throw new Failure(`Batch ${id} goes on; ${why}`.replace(/\.?$/, '.'), {
      next: `Go on watching: ${commandLine(`batch show ${id} --wait`)}. To stop it: ${commandLine(`batch cancel ${id}`)}`,
      cause: error,
    });
  }
}

/** Whether nothing happens to it without its owner. */
function isStill({ status, paused_reason, rows }: BatchView): boolean {
  return rows.running === 0 && status !== 'running' && paused_reason !== 'house_limit';
}

/** The API compares with the state at the start of a read, so a change between two reads stays unseen for so long. */
const readWaitSeconds = 5;
/** Between two reads of an API that answers at once although nothing has changed. */
const pauseUnchangedMs = 250;
const pauseAwayMs = 1_000;
/** A service that is deployed is away for less. */
const awayMaxMs = 60_000;

async function readWhenPossible(api: CouncilApi, id: string, signal: AbortSignal): Promise<BatchView> {
  const giveUpAtMs = performance.now() + awayMaxMs;
  for (let waitSeconds = readWaitSeconds; ; ) {
    try {
      return await api.batches.get(id, { waitSeconds, signal });
    } catch (error) {
      const pauseMs = pauseAfter(error);
      if (pauseMs === null || performance.now() + pauseMs > giveUpAtMs) throw error;
      // Other programs of the account may hold as many responses as it can.
      if (error instanceof CouncilProblem && error.code === 'rate_limited') waitSeconds = 0;
      await pause(pauseMs, signal);
    }
  }
}

/** Null if another read would fail as well. */
function pauseAfter(error: unknown): number | null {
  if (isBusy(error)) return error.retryAfterSeconds === null ? pauseAwayMs : error.retryAfterSeconds * 1_000;
  const isAway = error instanceof CouncilProblem && ['unreachable', 'unexpected_answer'].includes(error.code);
  return isAway ? pauseAwayMs : null;
}
