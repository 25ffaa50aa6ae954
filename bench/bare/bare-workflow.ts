import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** As many steps as a report, in the same order, and nothing in any of them. */
export async function bareRun(): Promise<void> {
  await nothing();
  await nothing();
  for (const members of [4, 4, 1]) await Promise.all(Array.from({ length: members }, () => nothing()));
  await nothing();
}
