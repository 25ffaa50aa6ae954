import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { MarketEvent } from '../../council/event.js';
import type { Refusal } from '../../council/problems.js';
import {
  type AllowedOutcome,
  isRefusal,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
} from '../../council/purchase/purchase.js';
import { type Db, isDatabaseAway } from '../../db/database.js';
import { purchaseReport, reserveReportId } from '../../db/purchases/purchases.js';
import { settleOrWithdraw } from '../../db/purchases/refunds.js';
import type { councilReport } from '../../workflows/council-report.js';
import type { CouncilReportInput } from '../../workflows/council-report-input.js';
import { counterClosed, purchase } from '../../workflows/messages.js';
import { searchAttributes } from '../../workflows/search-attributes.js';
import { reportWorkflowId } from '../../workflows/workflow-id.js';
import { Problem } from '../http/problem.js';
import type { ReportPurchaser } from './report-purchaser.js';

export interface PurchaserOptions {
  readonly client: Client;
  readonly db: Db;
  readonly taskQueue: string;
  readonly simulated: boolean;
  /** What every order of this deployment has in common. */
  readonly terms: Pick<
    CouncilReportInput,
    'edition' | 'models' | 'modelQueues' | 'policies' | 'stageDeadlinesMs'
  >;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly onTrouble: (error: unknown, what: string) => void;
}

type Wish = Parameters<ReportPurchaser['order']>[0];

/** How long a caller is kept waiting for a receipt, and how soon it is clear that Temporal is away. */
const answerWithinMs = 8_000;
const reachableWithinMs = 2_000;
const betweenTriesMs = 100;

/**
 * The desk on Temporal, by update-with-start: the workflow id is the natural key, so a double click, a retry and
 * a second process meet in one run. Within this process they take turns, and all but the first are answered from the
 * database: a run takes only so many updates at once. The first comes from there: nothing existed a moment ago. A purchase
 * whose answer is lost is settled or withdrawn in the database before the caller hears anything: "unavailable" therefore
 * means that nothing was, or ever will be, charged. What cannot be settled, because the database is away too, is `internal`.
 */
export function createTemporalPurchaser(options: PurchaserOptions): ReportPurchaser {
  const turns = createTurns();
  return {
    async order(wish, event) {
      const giveUpAt = options.now().getTime() + answerWithinMs;
      // Asked outside the turn: duplicates must not wait for one another to hear that Temporal is away.
      if (!(await isReachable(options))) return unavailable;
      return turns.take(reportWorkflowId(wish), hasWaited =>
        sellInTurn(options, wish, event, { giveUpAt, hasWaited }),
      );
    },
  };
}

async function sellInTurn(
  options: PurchaserOptions,
  wish: Wish,
  event: MarketEvent,
  { giveUpAt, hasWaited }: { giveUpAt: number; hasWaited: boolean },
): Promise<PurchaseAnswer> {
  for (let mayExist = hasWaited; options.now().getTime() < giveUpAt; mayExist = true) {
    const request = { ...wish, purchaseId: options.newId(), answerBy: new Date(giveUpAt).toISOString() };
    const existing = mayExist ? await sellExisting(options.db, request, options) : 'fresh_needed';
    if (existing !== 'fresh_needed') return existing;
    const order = await orderOf(options, wish, event);
    const outcome = await tryOnce(options, request, order, giveUpAt);
    if (outcome !== 'try_again') return outcome;
    await pause(betweenTriesMs);
  }
  return unavailable;
}

type NumberedOrder = CouncilReportInput & { readonly reportId: number };

/** With a number of its own: a run that is started under it needs no further word to be found by it. */
async function orderOf(
  { db, terms }: PurchaserOptions,
  wish: Wish,
  event: MarketEvent,
): Promise<NumberedOrder> {
  const { accountId, eventId, lane } = wish;
  return { reportId: await reserveReportId(db), accountId, eventId, eventTitle: event.title, lane, ...terms };
}

/** `try_again`: the run met there is just ending, its counter is closed for a moment, or too many are at it. */
async function tryOnce(
  options: PurchaserOptions,
  request: PurchaseRequest,
  order: NumberedOrder,
  giveUpAt: number,
): Promise<PurchaseAnswer | 'try_again'> {
  try {
    const outcome = await updateWithStart(options, request, order, giveUpAt);
    return outcome === 'fresh_needed' ? 'try_again' : outcome;
  } catch (error) {
    if (isTurnedAway(error)) return 'try_again';
    options.onTrouble(error, 'a purchase had to be settled from the database');
    const settled = await settle(options, request);
    return isRefusal(settled) ? 'try_again' : settled;
  }
}

/** @throws Problem `internal` where the database is away too: "unavailable" would say that nothing was charged, which nobody knows. */
async function settle(
  { db, now, onTrouble }: PurchaserOptions,
  { purchaseId, accountId }: PurchaseRequest,
): Promise<PurchaseAnswer> {
  try {
    return await settleOrWithdraw(db, { purchaseId, accountId, now: now() });
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    onTrouble(error, 'whether a purchase was made could not be found out');
    throw new Problem('internal', unknownWhether);
  }
}

const unknownWhether =
  'Whether the report was bought cannot be found out at the moment. Ask again: what was bought is yours, and costs nothing more.';

/** Nothing of it is in the run's history, so that there is nothing to settle. */
function isTurnedAway(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === counterClosed
  );
}

async function updateWithStart(
  { client, taskQueue }: PurchaserOptions,
  request: PurchaseRequest,
  order: NumberedOrder,
  giveUpAt: number,
): Promise<PurchaseOutcome> {
  const { reportId, accountId, eventId, eventTitle, lane } = order;
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof councilReport>('councilReport', {
    workflowId: reportWorkflowId(request),
    taskQueue,
    args: [order],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: `Council report · ${eventTitle}`.slice(0, summaryMaxChars),
    staticDetails: `Event \`${eventId}\` for account \`${accountId}\`, paid by ${lane}.`,
    memo: { eventTitle },
    typedSearchAttributes: [
      { key: searchAttributes.AccountId, value: accountId },
      { key: searchAttributes.EventId, value: eventId },
      { key: searchAttributes.Lane, value: lane },
      { key: searchAttributes.ReportId, value: reportId },
      { key: searchAttributes.ReportStatus, value: 'processing' },
    ],
  });
  return client.withDeadline(giveUpAt, () =>
    client.workflow.executeUpdateWithStart(purchase, {
      updateId: request.purchaseId,
      args: [request],
      startWorkflowOperation,
    }),
  );
}

const summaryMaxChars = 200;

async function isReachable({ client, onTrouble, now }: PurchaserOptions): Promise<boolean> {
  try {
    await client.withDeadline(now().getTime() + reachableWithinMs, () =>
      client.workflowService.getSystemInfo({}),
    );
    return true;
  } catch (error) {
    onTrouble(error, 'Temporal cannot be reached');
    return false;
  }
}

const unavailable: Refusal = {
  refused: 'unavailable',
  detail: 'The report could not be started. Nothing was charged, and nothing will be.',
  retryAfterSeconds: 5,
};

/**
 * Answers a purchase from what exists: a report that is owned, in flight or cached, or a refusal that needs no run to
 * be known. Begins nothing.
 * @param reach `owned` where not even a cached report may be charged for yet
 */
export async function sellExisting(
  db: Db,
  request: PurchaseRequest,
  service: { simulated: boolean; now: () => Date },
  reach: Exclude<AllowedOutcome, 'fresh'> = 'existing',
): Promise<PurchaseOutcome> {
  const { simulated } = service;
  return purchaseReport(db, request, { now: service.now(), simulated, ...noRun }, reach);
}

/** What is sold here exists already: no report is opened, so none of this is ever written. */
const noRun = { eventTitle: '', workflowId: '', seed: '' };

/** Lets one caller at a time through for each key, in the order in which they came. */
export interface Turns {
  /** @param act is told whether it had to wait for others. */
  take<Answer>(key: string, act: (hasWaited: boolean) => Promise<Answer>): Promise<Answer>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, act) {
      const before = last.get(key);
      const begin = () => act(before !== undefined);
      const mine = before === undefined ? begin() : before.then(begin, begin);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
