import { activityInfo, heartbeat } from '@temporalio/activity';

/**
 * Sends heartbeats while the work is in progress: they deliver a cancellation, and reveal a dead worker long before
 * the deadline. The first one is sent after a fifth of the timeout, so that short work sends none, and the server may be
 * away for the rest of it.
 * @param details what a next attempt continues from, if the work continues where it stopped
 */
export async function withHeartbeat<Result>(
  work: () => Promise<Result>,
  details: () => unknown = () => undefined,
): Promise<Result> {
  const { heartbeatTimeoutMs } = activityInfo();
  if (heartbeatTimeoutMs === undefined) return work();
  const beat = setInterval(() => heartbeat(details()), heartbeatTimeoutMs / 5);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
