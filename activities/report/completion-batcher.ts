import { activityInfo } from '@temporalio/activity';

/** Does one piece of work of a group. */
export type CompletionBatcher = <Result>(group: string, work: () => Promise<Result>) => Promise<Result>;

/** What is left to tell the server of an answer before the server gives the attempt up. */
const tellingMarginMs = 1_000;

/**
 * Lets the answers of a stage go back to their run together. Each that goes alone is a task of its own for the run: four events
 * more in the history, and two round trips. A stage is over with its last answer, so that the ones before it may wait for it
 * without making anybody else wait; what waits is stored already. One that fails waits for nobody, and those that wait for a
 * member who hangs do so for `gatherMs` and no longer.
 */
export function createCompletionBatcher({
  gatherMs,
  now,
}: {
  gatherMs: number;
  now: () => Date;
}): CompletionBatcher {
  const groups = new Map<string, Group>();
  return async (name, work) => {
    const deadlineMs = attemptDeadlineMs(now().getTime());
    const group = groups.get(name) ?? openGroup(() => groups.delete(name));
    groups.set(name, group);
    group.enter();
    const result = await work().finally(() => group.leave());
    const leftMs = deadlineMs - now().getTime() - tellingMarginMs;
    if (leftMs > 0) await within(Math.min(gatherMs, leftMs), group.empty);
    return result;
  };
}

type Group = ReturnType<typeof openGroup>;

/** Those of a stage that this process is asking now. */
function openGroup(onEmpty: () => void) {
  let atWork = 0;
  let open: () => void = () => undefined;
  const empty = new Promise<void>(resolve => {
    open = resolve;
  });
  return {
    empty,
    enter: () => {
      atWork += 1;
    },
    leave: () => {
      atWork -= 1;
      if (atWork > 0) return;
      onEmpty();
      open();
    },
  };
}

async function within(ms: number, event: Promise<void>): Promise<void> {
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    alarm = setTimeout(resolve, ms).unref();
  });
  await Promise.race([event, late]);
  clearTimeout(alarm);
}

/** Ends the HTTP call a little before Temporal would end the activity, so that the failure has a name. */
const namedFailureMarginMs = 250;

/**
 * When the attempt that begins now must be over, by our own clock. What earlier attempts used up is told by the
 * server's clock alone: the two clocks are never compared, so a skewed one costs a stage nothing.
 */
export function attemptDeadlineMs(nowMs: number): number {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs, scheduleToCloseTimeoutMs } =
    activityInfo();
  const usedUpMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
  return nowMs + scheduleToCloseTimeoutMs - usedUpMs - namedFailureMarginMs;
}
