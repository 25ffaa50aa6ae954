import { searchAttributes } from '../../../workflows/report-interface.js';
import type { Deployment } from '../deployment/deployment.js';
import type { ModelRequest } from '../deployment/outside.js';
import type { Hindrance } from '../faults/timeline.js';
import { type Books, groupBy } from './books.js';

/**
 * Why a second call was unavoidable: the worker was dead, or Temporal had to presume so, or the answer was lost
 * on its way. That the database was away is no excuse: the worker still has the answer.
 */
const excuses: ReadonlySet<Hindrance> = new Set([
  'worker killed',
  'worker stopped',
  'Temporal away',
  'models away',
  'machine stalled',
]);
const presumedDead = 'presumed dead without a fault: the machine was too busy';

export interface RepeatCheck {
  readonly faults: readonly string[];
  /** How many paid calls were repeated, by what had happened to the worker between the two. */
  readonly repeats: ReadonlyMap<string, number>;
}

/** Finds calls that were paid for twice: a model had answered, and was asked the same again. */
export async function checkRepeats(deployment: Deployment, { reportsOf }: Books): Promise<RepeatCheck> {
  const { timeline, outside } = deployment;
  const faults: string[] = [];
  const repeats = new Map<string, number>();
  for (const { first, second } of repeatedCalls(outside.requests, reportsOf)) {
    const { edition, stage, model, at } = second;
    const reportId = reportsOf.get(edition)?.[0]?.id ?? 0;
    const hindrances = timeline.hindrancesIn(first.at, at);
    const excuse =
      hindrances.find(each => excuses.has(each)) ??
      ((await wasPresumedDead(deployment, reportId, second)) ? presumedDead : null);
    const reason = excuse ?? hindrances[0] ?? 'no reason';
    repeats.set(reason, (repeats.get(reason) ?? 0) + 1);
    if (excuse !== null) continue;
    const apart = ((at - first.at) / 1_000).toFixed(1);
    faults.push(
      `paid call repeated: ${model} at ${stage} of report ${reportId}, ${apart} s later (${reason})`,
    );
  }
  return { faults, repeats };
}

/** Each report may ask once: with as many calls before it as reports share the snapshot, a call is a repetition. */
function repeatedCalls(requests: readonly ModelRequest[], reportsOf: Books['reportsOf']) {
  const paid = requests.filter(isPaid).toSorted((one, other) => one.at - other.at);
  const alike = groupBy(paid, ({ edition, stage, model }) => `${edition} ${stage} ${model}`);
  return [...alike.values()].flatMap(calls =>
    calls.flatMap((second, at) => {
      const first = calls[at - (reportsOf.get(second.edition)?.length ?? 1)];
      return first === undefined ? [] : [{ first, second }];
    }),
  );
}

/** A late answer is one. A call that failed, or whose answer is invalid, may be repeated. */
function isPaid({ fault }: ModelRequest): boolean {
  return fault === null || fault === 'latency';
}

const activityOf: Readonly<Record<ModelRequest['stage'], string>> = {
  research: 'askResearch',
  opinions: 'askOpinion',
  cross_review: 'askReview',
  synthesis: 'askSynthesis',
  market_gap: 'askMarketGap',
};

/** Whether the attempt before the last one of this call ended because its heartbeats were missed. */
async function wasPresumedDead(
  { temporal }: Deployment,
  reportId: number,
  { stage, model }: ModelRequest,
): Promise<boolean> {
  const query = `${searchAttributes.ReportId.name} = ${reportId}`;
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const scheduled = (events ?? []).filter(({ activityTaskScheduledEventAttributes: task }) => {
      const input = Buffer.from(task?.input?.payloads?.[0]?.data ?? []).toString();
      return task?.activityType?.name === activityOf[stage] && input.includes(`"model":"${model}"`);
    });
    const ids = new Set(scheduled.map(({ eventId }) => String(eventId)));
    return (events ?? []).some(
      ({ activityTaskStartedEventAttributes: started }) =>
        ids.has(String(started?.scheduledEventId)) && started?.lastFailure?.timeoutFailureInfo != null,
    );
  }
  return false;
}
