import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  NamespaceNotFoundError,
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { MarketEvent } from '../council/event.js';
import { councilModels } from '../council/models.js';
import { findOwnedReport } from '../db/purchases/purchase-situation.js';
import { saveEvent } from '../db/reports/events.js';
import { reserveReportId } from '../db/reports/run.js';
import type { StageDeadlines } from '../platform/settings/setting-values.js';
import { grpcFailure, grpcStatus } from '../platform/temporal/grpc-status.js';
import { modelQueues, type TemporalManifest } from '../platform/temporal/manifest.js';
import { runOpenMaxMinutes } from '../purchase/limits.js';
import {
  isRefusal,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
  reportNotStarted,
} from '../purchase/purchase.js';
import type { councilReport } from '../workflows/council-report.js';
import {
  purchase,
  type ResearchPlan,
  type RunSettings,
  reportWorkflowId,
  searchAttributes,
} from '../workflows/report-interface.js';
import { KeyedMutex } from './keyed-mutex.js';
import { type ExistingDependencies, purchaseExisting, settlePurchase } from './purchase-existing.js';
import { createRunCapacity, type RunCapacity } from './run-capacity.js';

/** Sells fresh reports: the API's view of the service that runs them. */
export interface ReportPurchaser {
  /**
   * Stores the event and buys the report. Starts a run unless one of this account for this event and day is in
   * progress. The answer is final: a receipt, or a refusal after which nothing is ever charged.
   */
  purchase(request: FreshRequest, event: MarketEvent): Promise<PurchaseAnswer>;
}

export type FreshRequest = Omit<PurchaseRequest, 'purchaseId' | 'answerBy'>;

export interface PurchaserOptions extends ExistingDependencies {
  readonly client: Client;
  readonly taskQueue: string;
  readonly runs: RunSettings;
  readonly newId: () => string;
  /** After this time Temporal ends a run. Default: `runOpenMaxMinutes`. Tests shorten it. */
  readonly runOpenMaxMs?: number;
}

/** How the runs of this deployment work. */
export function runSettings(
  manifest: TemporalManifest,
  { stageDeadlinesMs, research, isEmbedded }: InputSettings,
): RunSettings {
  const usesRunQueue = isEmbedded && !manifest.embedded_server.own_model_queues;
  return {
    models: councilModels,
    ...(usesRunQueue ? {} : { modelQueues: modelQueues(manifest) }),
    stageDeadlinesMs,
    explainsGap: true,
    ...(research === null || research.searchers.length === 0 ? {} : { research }),
  };
}

export interface InputSettings {
  readonly stageDeadlinesMs: StageDeadlines;
  /** Null: nobody searches. */
  readonly research: ResearchPlan | null;
  readonly isEmbedded: boolean;
}

/** How long a caller waits for a receipt. */
const answerWithinMs = 8_000;
/** Doubled after each attempt, because each leaves a withdrawn purchase behind. */
const retryPauseMs = { first: 100, max: 1_000 };

/**
 * Sells through update-with-start. The workflow ID is the natural key, so that a double click, a retry and a second
 * process reach the same run. Within this process, purchases under one key run one at a time, because a run accepts
 * ten updates at once; all but the first are answered from the database. If the response to an update is lost, the
 * purchase is settled or withdrawn in the database before the API responds: "unavailable" means that nothing was or
 * will be charged. If the database is down as well, the answer says that the outcome is unknown.
 */
export function createTemporalPurchaser(options: PurchaserOptions): ReportPurchaser {
  const mutex = new KeyedMutex();
  const { modelQueues, stageDeadlinesMs } = options.runs;
  const capacity = createRunCapacity({
    ...options,
    modelQueues: Object.values(modelQueues ?? {}),
    stageDeadlinesMs,
  });
  return {
    async purchase(request, event) {
      const deadline = options.now().getTime() + answerWithinMs;
      // Before the mutex: duplicates must not queue up to learn that Temporal is unavailable.
      const [refusal] = await Promise.all([
        capacity.refusalOf(reportWorkflowId(request)),
        saveEvent(options.db, event, options.now()),
      ]);
      if (refusal !== null) return refusal;
      return mutex.runExclusive(reportWorkflowId(request), hasWaited =>
        purchaseUntil(deadline, { ...options, capacity }, request, event, hasWaited),
      );
    },
  };
}

interface PurchaserParts extends PurchaserOptions {
  readonly capacity: RunCapacity;
}

async function purchaseUntil(
  deadline: number,
  options: PurchaserParts,
  fresh: FreshRequest,
  event: MarketEvent,
  hasWaited: boolean,
): Promise<PurchaseAnswer> {
  let mayExist = hasWaited;
  for (let pauseMs = retryPauseMs.first; options.now().getTime() < deadline; pauseMs *= 2) {
    const request = { ...fresh, purchaseId: options.newId(), answerBy: null };
    const existing = mayExist ? await purchaseExisting(options, request) : 'fresh_needed';
    if (existing !== 'fresh_needed') return existing;
    const outcome = await purchaseOnce(options, request, event, deadline);
    if (outcome !== 'fresh_needed') return outcome;
    mayExist = true;
    await pause(Math.min(pauseMs, retryPauseMs.max));
  }
  return (await findOwned(options, fresh)) ?? reportNotStarted;
}

/**
 * The report, if another purchase opened it in the meantime: its owner is not refused it because its run is slow. Looks
 * without a lock first, because a caller who has waited this long must not wait for what made its run slow.
 */
async function findOwned(options: PurchaserOptions, fresh: FreshRequest): Promise<PurchaseAnswer | null> {
  if ((await findOwnedReport(options.db, fresh, options.simulated)) === null) return null;
  const request = { ...fresh, purchaseId: options.newId(), answerBy: null };
  const existing = await purchaseExisting(options, request, 'owned');
  return existing === 'fresh_needed' ? null : existing;
}

/** @returns `fresh_needed` when the run that was reached is ending, or has too many updates. */
async function purchaseOnce(
  options: PurchaserParts,
  prepared: PurchaseRequest,
  event: MarketEvent,
  deadline: number,
): Promise<PurchaseOutcome> {
  const { reportId, at } = await reserveReportId(options.db);
  const leftMs = deadline - options.now().getTime();
  const request = { ...prepared, answerBy: new Date(at.getTime() + leftMs).toISOString() };
  try {
    return await options.capacity.admit(() =>
      updateWithStart(options, request, { reportId, eventTitle: event.title }, deadline),
    );
  } catch (error) {
    options.onError(error, 'the response to a purchase was lost; settling it in the database');
    const settled = await settlePurchase(options, request);
    return isRefusal(settled) && !isLasting(error) ? 'fresh_needed' : settled;
  }
}

/** The same request would fail again: an unknown namespace or search attribute, or a missing permission. */
function isLasting(error: unknown): boolean {
  return error instanceof NamespaceNotFoundError || lastingCodes.has(grpcFailure(error)?.code);
}

const { invalidArgument, permissionDenied, unimplemented, unauthenticated } = grpcStatus;
const lastingCodes: ReadonlySet<number | undefined> = new Set([
  invalidArgument,
  permissionDenied,
  unimplemented,
  unauthenticated,
]);

async function updateWithStart(
  { client, taskQueue, runs, runOpenMaxMs = runOpenMaxMinutes * 60_000 }: PurchaserOptions,
  request: PurchaseRequest,
  report: { reportId: number; eventTitle: string },
  deadline: number,
): Promise<PurchaseOutcome> {
  const { accountId, eventId, lane, row } = request;
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof councilReport>('councilReport', {
    workflowId: reportWorkflowId(request),
    taskQueue,
    workflowExecutionTimeout: runOpenMaxMs,
    args: [{ ...runs, ...report, accountId, eventId, lane }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: `Council report · ${report.eventTitle}`.slice(0, summaryMaxChars),
    staticDetails: `Event \`${eventId}\` for account \`${accountId}\`, paid by ${lane}.`,
    memo: { eventTitle: report.eventTitle },
    ...(row === undefined ? {} : { priority: { priorityKey: rowPriority, fairnessKey: accountId } }),
    typedSearchAttributes: [
      { key: searchAttributes.AccountId, value: accountId },
      { key: searchAttributes.EventId, value: eventId },
      { key: searchAttributes.Lane, value: lane },
      { key: searchAttributes.ReportId, value: report.reportId },
      { key: searchAttributes.ReportStatus, value: 'processing' },
      ...(row === undefined ? [] : [{ key: searchAttributes.BatchId, value: row.batchId }]),
    ],
  });
  return client.withDeadline(deadline, () =>
    client.workflow.executeUpdateWithStart(purchase, {
      updateId: request.purchaseId,
      args: [request],
      startWorkflowOperation,
    }),
  );
}

/** Of 1 (first) to 5 (last): the tasks of rows of batches wait for those of single purchases, which have the usual 3. */
const rowPriority = 5;

const summaryMaxChars = 200;
