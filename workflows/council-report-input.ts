import type { Stage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import type { Lane } from '../council/purchase/purchase.js';

/**
 * What a run is started with. Everything that may differ from one deployment to the next travels here, so that
 * a run replays the same whatever has been configured since. No key, no address, no e-mail.
 */
export interface CouncilReportInput {
  /**
   * Which steps the run takes, in which order: a run goes on as it began, whatever workers have been deployed since. Absent in
   * runs that were started before the first change.
   */
  readonly edition?: RunEdition;
  /** Reserved for the report, by which its run is found from the start. Absent in runs of earlier editions. */
  readonly reportId?: number;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventTitle: string;
  readonly lane: Lane;
  readonly models: readonly CouncilModel[];
  readonly policies: Policies;
  /** On which task queue calls to a member wait. Absent where they wait with the runs. */
  readonly modelQueues?: Readonly<Record<CouncilModel, string>>;
  /** Milliseconds a stage may take, all attempts included. */
  readonly stageDeadlinesMs: Readonly<Record<Stage, number>>;
}

export type RunEdition = 'lean' | 'numbered';

/** What new runs are stamped with. */
export const runEdition: RunEdition = 'numbered';

/** From the edition `lean` on: no timer beside a purchase that is there already; market and conclusion without tasks of their own. Fewer events. */
export function isLean({ edition }: CouncilReportInput): boolean {
  return edition !== undefined;
}

/** Retry and time-out policies by intent; their numbers stand in `temporal.yaml`. */
export interface Policies {
  readonly purchase: BoundedPolicy;
  readonly market_read: BoundedPolicy;
  readonly model_call: { readonly heartbeat_ms: number; readonly retry: RetryRule };
  readonly bookkeeping: BoundedPolicy;
  readonly refund: UnboundedPolicy;
}

export interface RetryRule {
  readonly initial_interval_ms: number;
  readonly backoff: number;
  readonly maximum_interval_ms: number;
  /** Unset: as often as the time allows. */
  readonly maximum_attempts?: number | undefined;
}

export interface UnboundedPolicy {
  readonly start_to_close_ms: number;
  readonly retry: RetryRule;
}

export interface BoundedPolicy extends UnboundedPolicy {
  readonly schedule_to_close_ms: number;
}
