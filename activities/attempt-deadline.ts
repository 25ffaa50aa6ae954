import { activityInfo } from '@temporalio/activity';

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
