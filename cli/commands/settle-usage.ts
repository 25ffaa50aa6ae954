import { settleByOperator } from '../../db/billing/usage-corrections.js';
import type { Db } from '../../db/database.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { describeUsage, findUsageOf, type UsageCommand } from './find-usage.js';

/**
 * Records that an operator has dealt with usage at Stripe by hand: held usage is billed there, or void usage is not.
 * Sends nothing.
 */
export async function settleUsage(db: Db, output: Output, command: UsageCommand): Promise<void> {
  const usage = await findUsageOf(db, command);
  const { id, reason } = command;
  if (!(await settleByOperator(db, id, command))) {
    throw new Failure(`Usage ${id} is ${usage.state}: there is nothing to settle.`, {
      next: 'Only held usage, and void usage whose cancellation Stripe has not confirmed, is settled by hand.',
    });
  }
  output.result({ ...describeUsage(usage), reason }, `Usage ${id} is settled: ${reason}`);
}
