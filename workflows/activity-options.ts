import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/**
 * Timeouts and retries of the activities, by purpose. They are not part of the history that a replay compares, so
 * that they may change while runs are in flight.
 */

/** Decides and charges. Ends before the API, which waits 8 seconds for the receipt, gives up. */
export const purchaseDecision = {
  startToCloseTimeout: '2 seconds',
  scheduleToCloseTimeout: '6.5 seconds',
  retry: {
    initialInterval: '100 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '1 second',
    maximumAttempts: 3,
  },
} satisfies ActivityOptions;

/** A refund is owed until it is made, and a purchase is unsettled until it is settled: no last attempt. */
export const untilDone = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} satisfies ActivityOptions;

/**
 * How long a step of a charged run waits for what is ours: a worker, the database. An outage of some minutes then fails
 * no run, and by then the models' answers are paid for. After this time the run fails as `internal` and is refunded.
 * A run has at most nine such steps one after the other: the searches, the evidence, the opinions, the reviews, four
 * chairmen and the conclusion; the step beside the first chairman waits for nothing. Together they wait 90 minutes, less than `runOpenMaxMinutes`, after which a run is lost.
 */
const outageMaxMs = 10 * 60_000;

export const databaseWrite = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: outageMaxMs,
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} satisfies ActivityOptions;

/**
 * Computes and stores, as a local activity: one event in the history instead of three and a further workflow task, which
 * for the conclusion is worth 11 % of throughput (docs/adr/0022). A pause of more than a second between attempts is a timer, so that
 * a worker that shuts down does not wait for it.
 */
export const localWrite = {
  ...databaseWrite,
  localRetryThreshold: '1 second',
} satisfies LocalActivityOptions;

/**
 * A call to a model. The activity ends the call itself when the member's budget is spent (docs/adr/0029), and sets the
 * pause after a failed call; these retries are for a lost worker and a database that cannot be read. An attempt may
 * wait as long as the step, because it holds an answer that is paid for. The heartbeat detects a dead worker. Heartbeats
 * are sent every four seconds, and a failover of Temporal takes up to fifteen: with a shorter time-out, another worker
 * would ask the model again. A longer one delays the run whose worker died.
 */
export function modelCall(budgetMs: number) {
  const allMs = budgetMs + outageMaxMs;
  return {
    startToCloseTimeout: allMs,
    scheduleToCloseTimeout: allMs,
    heartbeatTimeout: '20 seconds',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
  } satisfies ActivityOptions;
}

/**
 * A call whose answer may be lost: the run waits for it as long as the member has, and for nothing that is ours. An answer
 * that arrives later is stored all the same, as long as the run is open.
 */
export function dispensableCall(budgetMs: number) {
  return {
    ...modelCall(budgetMs),
    startToCloseTimeout: budgetMs,
    scheduleToCloseTimeout: budgetMs,
  } satisfies ActivityOptions;
}

/** One round of a maintenance duty. Work that is left over is done in the next round. */
export const maintenanceRound = {
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '5 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} satisfies ActivityOptions;

/** Compares all rows once a week, which takes minutes on millions of them. */
export const booksAudit = {
  ...maintenanceRound,
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '25 minutes',
} satisfies ActivityOptions;

/** Resolves or grades one page. A market may be slow for each of its events; the heartbeat detects a dead worker. */
export const gradingPage = {
  heartbeatTimeout: '5 seconds',
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} satisfies ActivityOptions;

/** Buys one page of a batch, for half a minute at most and a purchase more. The heartbeat detects a dead worker. */
export const rowPage = {
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} satisfies ActivityOptions;

/** Computes the published figures. */
export const recordRefresh = {
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} satisfies ActivityOptions;

/** Fits weights: seconds for a thousand reports. The heartbeat detects a dead worker. */
export const weightsFit = {
  heartbeatTimeout: '10 seconds',
  startToCloseTimeout: '30 minutes',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;

/** Waits for the database for a day, because the next refit is a week away. */
export const refitStep = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;

/** One try of a webhook, which takes 15 seconds at most: a worker that dies is noticed without heartbeats. */
export const webhookTry = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;
