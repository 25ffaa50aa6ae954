import type { Command } from 'commander';
import { settleByOperator } from '../../db/billing/usage-corrections.js';
import type { Db } from '../../db/database.js';
import type { CommandContext } from '../command-context.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { describeUsage, findUsageOf, type UsageCommand, withUsage } from './find-usage.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  withUsage(group.command('settle'), 'billed by invoice item')
    .description(
      'Records that usage was dealt with at Stripe by hand: held usage is billed, void usage is not. Sends nothing.',
    )
    .summary('record what was done at Stripe by hand')
    .action(async (id: string, { reason }: { reason: string }) => {
      await context.database(db => settleUsage(db, context.output, { id, reason, now: new Date() }));
    });
}

/**
 * Records that an operator has dealt with usage at Stripe by hand: held usage is billed there, or void usage is not.
 * Sends nothing.
 */
async function settleUsage(db: Db, output: Output, command: UsageCommand): Promise<void> {
  const usage = await findUsageOf(db, command);
  const { id, reason } = command;
  if (!(await settleByOperator(db, id, command))) {
    throw new Failure(`Usage ${id} is ${usage.state}: there is nothing to settle.`, {
      next: 'Only held usage, and void usage whose cancellation Stripe has not confirmed, is settled by hand.',
    });
  }
  output.result({ ...describeUsage(usage), reason }, `Usage ${id} is settled: ${reason}`);
}
