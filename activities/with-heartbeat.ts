import { activityInfo, heartbeat } from '@temporalio/activity';

/**
 * Heartbeats while the work lasts: that is how a cancellation reaches it, and how a dead worker is found long
 * before the stage's deadline.
 */
export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const { heartbeatTimeoutMs } = activityInfo();
  if (heartbeatTimeoutMs === undefined) return work();
  heartbeat();
  const beat = setInterval(() => heartbeat(), heartbeatTimeoutMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
