import { activityInfo, heartbeat } from '@temporalio/activity';

/**
 * Heartbeats while the work lasts: that is how a cancellation reaches it, and how a dead worker is found long
 * before the stage's deadline. The first comes when a third of the time for it is over: work that is done by then costs the
 * server none.
 */
export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const { heartbeatTimeoutMs } = activityInfo();
  if (heartbeatTimeoutMs === undefined) return work();
  const beat = setInterval(() => heartbeat(), heartbeatTimeoutMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
