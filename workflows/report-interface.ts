import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ConcludedReport } from '../activities/report/report-activities.js';
import type { ProgressStage, Stage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import type { Lane, PurchaseOutcome, PurchaseRequest } from '../purchase/purchase.js';

/**
 * The input of a run. It carries everything that may differ between deployments, so that a run in flight is not
 * affected by a changed configuration. It holds no key, no address and no e-mail.
 */
export interface CouncilReportInput extends RunSettings {
  /** Reserved for the report before the run starts, so that operators find the run by it from the first event on. */
  readonly reportId: number;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventTitle: string;
  readonly lane: Lane;
}

/** How runs of a deployment work. */
export interface RunSettings {
  readonly models: readonly CouncilModel[];
  /** The task queue for the calls to each model. Absent: the calls use the run's own queue. */
  readonly modelQueues?: Readonly<Record<CouncilModel, string>>;
  /** Milliseconds that a stage may take, all attempts included. */
  readonly stageDeadlinesMs: Readonly<Record<Stage, number>>;
  /** A member says why the market differs. Absent in runs that 1.0.0 started, whose histories have no such step. */
  readonly explainsGap?: true;
  /** Absent: nobody searches. */
  readonly research?: ResearchPlan;
}

export interface ResearchPlan {
  /** The members that search the web; at least one. */
  readonly searchers: readonly CouncilModel[];
  /** Milliseconds that the searches may take. */
  readonly deadlineMs: number;
}

export type CouncilReportResult =
  | ({ readonly outcome: 'completed'; readonly reportId: number } & ConcludedReport)
  | { readonly outcome: 'nothing_to_run' };

/** Buys the report. Returns a receipt or a refusal; charges at most once per `purchaseId`. */
export const purchase = defineUpdate<PurchaseOutcome, [PurchaseRequest]>('purchase');

/** The step that the run is at. */
export const progress = defineQuery<Progress>('progress');

export interface Progress {
  readonly stage: 'purchase' | ProgressStage | 'conclusion';
}

/**
 * The natural key of a run: one account, one event, one UTC day. A double click, a client's retry and a second API
 * process all reach the same run.
 */
export function reportWorkflowId(key: { accountId: string; eventId: string; utcDay: string }): string {
  return `report/${key.accountId}/${key.eventId}/${key.utcDay}`;
}

/** The attributes that operators search runs by. `temporal.yaml` declares the same names; a test compares the two. */
export const searchAttributes = {
  AccountId: defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD),
  EventId: defineSearchAttributeKey('EventId', SearchAttributeType.KEYWORD),
  BatchId: defineSearchAttributeKey('BatchId', SearchAttributeType.KEYWORD),
  ReportId: defineSearchAttributeKey('ReportId', SearchAttributeType.INT),
  ReportStatus: defineSearchAttributeKey('ReportStatus', SearchAttributeType.KEYWORD),
  Lane: defineSearchAttributeKey('Lane', SearchAttributeType.KEYWORD),
  Degraded: defineSearchAttributeKey('Degraded', SearchAttributeType.BOOL),
} as const;
