import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type {
  LedgerCheck,
  MaintenanceActivities,
  StrandedRound,
  UsageRound,
} from '../activities/maintenance/maintenance-activities.js';
import { bounded } from './activity-options.js';
import type { BoundedPolicy } from './council-report-input.js';

/**
 * The chores that keep money right, each run by a schedule of `temporal.yaml`. One round is one activity that may be
 * repeated at any time; what it does not get done, the next round does.
 */
export interface ChoreOrder {
  readonly policy: BoundedPolicy;
}

/** Sends what subscriptions are billed for. */
export async function sendUsage({ policy }: ChoreOrder): Promise<UsageRound> {
  return chore(policy, 'send usage').sendUsage();
}

/** Gives back what was charged by runs that were ended from outside. */
export async function releaseStrandedRuns({ policy }: ChoreOrder): Promise<StrandedRound> {
  return chore(policy, 'release stranded runs').releaseStranded();
}

/** Audits the books; fails where they do not add up, so that operators see it beside the runs. */
export async function checkLedger({ policy }: ChoreOrder): Promise<LedgerCheck> {
  const check = await chore(policy, 'check the ledger').checkLedger();
  if (check.drifts === 0) return check;
  throw ApplicationFailure.create({
    type: 'ledger_drift',
    message: `The books do not add up, in ${check.drifts} places:\n${check.drift.join('\n')}`,
    nonRetryable: true,
    details: [check],
  });
}

/** Takes back what weekly grants still hold after their end. */
export async function expireGrants({ policy }: ChoreOrder): Promise<{ expired: number }> {
  return chore(policy, 'expire weekly grants').expireGrants();
}

function chore(policy: BoundedPolicy, summary: string): MaintenanceActivities {
  return proxyActivities<MaintenanceActivities>({ ...bounded(policy), summary });
}
