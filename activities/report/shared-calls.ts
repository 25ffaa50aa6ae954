import { Context, heartbeat, log } from '@temporalio/activity';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import { withHeartbeat } from '../with-heartbeat.js';
import { CallBudget } from './call-budget.js';

/** What all attempts at one answer in this process share. */
export interface SharedCall {
  readonly budget: CallBudget;
  /** Aborts when the run is cancelled, or the worker's time to shut down is over. */
  readonly signal: AbortSignal;
}

/** @param waitFor how an attempt waits for the result; it ends no earlier */
export type ShareCall<Result> = (
  call: {
    readonly reportId: number;
    readonly stage: CallStage;
    readonly model: CouncilModel;
    readonly budgetMs: number;
  },
  work: (shared: SharedCall) => Promise<Result>,
  waitFor?: (result: Promise<Result>) => Promise<Result>,
) => Promise<Result>;

/**
 * Runs the work of an attempt, or joins that of an earlier attempt which still runs in this process: one call to the
 * model, one budget, one stored answer. Temporal starts another attempt when heartbeats do not reach it, and tells the
 * first one that it is not found. The worker lives then, and its call is paid for: it goes on, and the new attempt
 * returns its result (docs/adr/0029).
 */
export function createSharedCalls<Result>(now: () => Date): ShareCall<Result> {
  const running = new Map<string, Running<Result>>();

  function begin(name: string, budgetMs: number, work: (shared: SharedCall) => Promise<Result>) {
    const { heartbeatDetails } = Context.current().info;
    const budget = new CallBudget(budgetMs, heartbeatDetails, () => now().getTime());
    const abort = new AbortController();
    const result = work({ budget, signal: abort.signal }).finally(() => running.delete(name));
    const begun = { budget, abort, result };
    running.set(name, begun);
    return begun;
  }

  return ({ reportId, stage, model, budgetMs }, work, waitFor = result => result) => {
    const name = `${reportId} ${stage} ${model}`;
    const earlier = running.get(name);
    if (earlier !== undefined) log.info('an attempt joined a call in progress', { reportId, stage, model });
    const { budget, abort, result } = earlier ?? begin(name, budgetMs, work);
    abortIfCancelled(Context.current(), abort);
    // The last heartbeat is that of the attempt which Temporal knows, whichever began the work.
    const ended = waitFor(result).catch(error => {
      heartbeat(budget.spent());
      throw error;
    });
    return withHeartbeat(
      () => ended,
      () => budget.spent(),
    );
  };
}

interface Running<Result> {
  readonly budget: CallBudget;
  readonly abort: AbortController;
  readonly result: Promise<Result>;
}

/** An attempt that Temporal gave up, paused or reset is cancelled too, and no reason to throw a paid answer away. */
function abortIfCancelled(context: Context, abort: AbortController): void {
  const signal = context.cancellationSignal;
  const check = () => {
    const { cancelRequested = false, workerShutdown = false } = context.cancellationDetails ?? {};
    if (cancelRequested || workerShutdown) abort.abort(signal.reason);
  };
  if (signal.aborted) check();
  else signal.addEventListener('abort', check, { once: true });
}
