import { setTimeout as pause } from 'node:timers/promises';

/**
 * Tries until it succeeds: a process may start before what it stands on is there.
 * @param onFailure told of the first failure, and of every tenth after it.
 */
export async function keepTrying<Result>(
  attempt: () => Promise<Result>,
  onFailure: (error: unknown) => void,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures % 10 === 0) onFailure(error);
      await pause(Math.min(250 * 2 ** failures, 2_000));
    }
  }
}
