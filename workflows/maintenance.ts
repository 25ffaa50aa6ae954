import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { Mutex } from 'async-mutex';
import type { UsageComparison } from '../activities/maintenance/compare-usage.js';
import type { MaintenanceActivities } from '../activities/maintenance/maintenance-activities.js';
import { booksAudit, maintenanceRound } from './activity-options.js';
import type { GradingSettings } from './grading-batch.js';
import { refitToday } from './refit.js';
import { autoUpgrade, regradeDue } from './regrade.js';

/** Also the workflow's memo, where `platform/temporal/apply-manifest.ts` reads it. */
export interface MaintenanceInput {
  readonly duty: keyof typeof duties;
  readonly everySeconds: number;
  /** How `regrade-due` grades. */
  readonly grading: GradingSettings;
  /** Why an operator has paused the duty; null while it is active. */
  readonly paused: string | null;
}

export interface MaintenanceRound {
  /** ISO 8601. */
  readonly at: string;
  readonly result: unknown;
}

/** The last successful round; null if there was none since the last failure. */
export const lastRound = defineQuery<MaintenanceRound | null>('lastRound');
/** Runs a round immediately, also while the duty is paused, and returns its result. */
export const runNow = defineUpdate<unknown>('runNow');
/** Stops the rounds until `resume`. Takes the reason, which operators see in the details of the workflow. */
export const pause = defineSignal<[reason?: string]>('pause');
export const resume = defineSignal('resume');

/** After this many rounds the history, about ten events a round, continues in a new run. */
const roundsPerRun = 200;

setWorkflowOptions(autoUpgrade, maintenance);

/**
 * One maintenance duty: waits, runs a round, and starts again. There is one workflow for each duty, so that rounds
 * never overlap and do not fill the list of workflows. A failed round fails this run, visibly; the retry policy that
 * the workflow is started with (`platform/temporal/apply-manifest.ts`) then starts the next run.
 */
export async function maintenance(
  input: MaintenanceInput,
  last: MaintenanceRound | null = null,
): Promise<never> {
  let latest = last;
  const rounds = new Mutex();
  const round = () =>
    rounds.runExclusive(async () => {
      const result: unknown = await duties[input.duty](input.grading);
      latest = { at: new Date().toISOString(), result };
      setCurrentDetails(`Last round at ${latest.at}: ${JSON.stringify(result)}`);
      return result;
    });
  let { paused } = input;
  setHandler(lastRound, () => latest, { description: 'The last successful round.' });
  setHandler(runNow, round, { description: 'Runs a round immediately and returns its result.' });
  setHandler(pause, (reason = 'no reason given') => void (paused = reason), {
    description: 'Stops the rounds until `resume`. Takes the reason.',
  });
  setHandler(resume, () => void (paused = null), { description: 'Starts the rounds again.' });
  setCurrentDetails(paused === null ? `A round every ${input.everySeconds} seconds.` : `Paused: ${paused}`);

  const isChanged = () => paused !== input.paused;
  for (let count = 0; count < roundsPerRun && !workflowInfo().continueAsNewSuggested; count++) {
    if (input.paused !== null) await condition(isChanged);
    else await condition(isChanged, input.everySeconds * 1_000);
    if (isChanged()) break;
    try {
      await round();
    } catch (error) {
      // A run that fails starts again from its input: a change that arrived during the round must not be lost.
      if (!isChanged() || isCancellation(error)) throw error;
      log.error('a maintenance round failed', { duty: input.duty, error: String(error) });
    }
  }
  await condition(allHandlersFinished);
  const next = { ...input, paused };
  return makeContinueAsNewFunc<typeof maintenance>({ memo: { input: next } })(next, latest);
}

const activities = (summary: string, options = maintenanceRound) =>
  proxyActivities<MaintenanceActivities>({ ...options, summary });

/** Each round may be repeated at any time; work that is left over is done in the next round. */
const duties = {
  /** Bills subscriptions for their reports. */
  'send-usage': sendUsage,
  /** Compares what was sent with what Stripe has counted. Fails when they differ, as `check-ledger` does. */
  'compare-usage': compareUsage,
  /** Fulfils paid checkouts whose webhook was lost. */
  'fulfil-checkouts': () => activities('fulfil paid checkouts').fulfilCheckouts(),
  /** Refunds the charges of runs that were ended from outside. */
  'release-stranded-runs': () => activities('release stranded runs').releaseStranded(),
  /** Audits the ledger. Fails when it finds drift, so that operators see it in the list of workflows. */
  'check-ledger': checkLedger,
  /** Takes back what weekly grants still hold after their end. */
  'expire-grants': () => activities('expire weekly grants').expireGrants(),
  /** Deletes rows that are kept for a limited time. */
  prune: () => activities('prune old rows').prune(),
  /** Has new entries of the record time-stamped. */
  'stamp-record': () => activities('time-stamp the head of the record').stampRecord(),
  /** Reads the events of Kalshi into the search index. */
  'fill-kalshi-index': fillKalshiIndex,
  /** Grades the reports whose events have ended. */
  'regrade-due': (settings: GradingSettings) => regradeDue(settings),
  /** Refits the weights of the estimate to the graded reports. */
  'refit-weights': () => refitToday(),
};

/** After this many rounds without a pause, the duty waits for its interval: an operator's signal is seen then. */
const sendingRoundsMax = 20;

/** Sends until nothing is left to be sent now. */
async function sendUsage() {
  const { sendUsage: sendRound } = activities('send usage');
  let total = await sendRound();
  for (let rounds = 1; total.more && rounds < sendingRoundsMax; rounds++) {
    const round = await sendRound();
    total = {
      ...round,
      sent: total.sent + round.sent,
      held: total.held + round.held,
      voided: total.voided + round.voided,
      failed: total.failed + round.failed,
      cancelled: total.cancelled + round.cancelled,
    };
  }
  return total;
}

/** Two minutes of reading: an operator's signal is seen then. A first fill takes about 202 pages. */
const indexPagesMax = 120;

/** Reads a page a second until the pass has ended. */
async function fillKalshiIndex() {
  const { fillKalshiIndex: fillPage } = activities('read a page of the events of Kalshi');
  let total = await fillPage();
  for (let pages = 1; total.more && pages < indexPagesMax; pages++) {
    await sleep('1 second');
    const page = await fillPage();
    total = { ...page, events: total.events + page.events };
  }
  return total;
}

async function compareUsage() {
  const { compareUsage: comparePage } = activities('compare usage with the payment provider');
  let compared = 0;
  let differing = 0;
  const differences: string[] = [];
  for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
    const page: UsageComparison = await comparePage(after);
    compared += page.compared;
    differing += page.differing;
    if (differences.length === 0) differences.push(...page.differences);
    after = page.next;
  }
  if (differing === 0) return { compared };
  throw ApplicationFailure.create({
    type: 'usage_differs',
    message: `Stripe has counted other usage than was sent, in ${differing} places:\n${differences.join('\n')}`,
    details: [{ compared, differing }],
  });
}

async function checkLedger() {
  const check = await activities('check the ledger', booksAudit).checkLedger();
  if (check.drifts === 0) return check;
  throw ApplicationFailure.create({
    type: 'ledger_drift',
    message: `The ledger does not add up, in ${check.drifts} places:\n${check.drift.join('\n')}`,
    details: [check],
  });
}
