import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** The same steps in the same order as in a report, all of which do nothing. */
export async function bareRun(): Promise<void> {
  const members = (count: number) => Promise.all(Array.from({ length: count }, () => nothing()));
  await nothing();
  await members(3);
  await nothing();
  for (const stage of [4, 4, 2]) await members(stage);
  await nothing();
}
