import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** The same steps in the same order as in a report, all of which do nothing. */
export async function bareRun(): Promise<void> {
  await nothing();
  await nothing();
  for (const members of [3, 4, 4, 1]) await Promise.all(Array.from({ length: members }, () => nothing()));
  await nothing();
}
