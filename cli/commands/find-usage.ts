import type { Command } from 'commander';
import { findUsage, type UsageRow } from '../../db/billing/usage.js';
import type { Db } from '../../db/database.js';
import { checkReason, commandLine, examples } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';

/** One metered report, and what an operator says about it. */
export interface UsageCommand {
  /** The id of the usage is the id of its purchase. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

/** @throws Failure if the reason is empty or too long, or no report was metered under this id */
export async function findUsageOf(db: Db, { id, reason }: UsageCommand): Promise<UsageRow> {
  checkReason(reason);
  const usage = /^[0-9a-f-]{36}$/.test(id) ? await findUsage(db, id) : null;
  if (usage !== null) return usage;
  throw new Failure(`There is no usage with the id ${id}.`, {
    next: `The id of a usage is the id of its purchase; ${commandLine('ledger check')} lists those to review.`,
  });
}

/** The fields of the printed document that all commands on usage share. */
export function describeUsage({ id, accountId, reportId, amountUsdCents, state }: UsageRow) {
  return {
    usage_id: id,
    account_id: accountId,
    report_id: reportId,
    amount_usd_cents: amountUsdCents,
    was: state,
  };
}

/** The argument, option and example that all commands on usage share. */
export function withUsage(command: Command, reason: string): Command {
  return command
    .argument('<id>', 'the id of the usage')
    .requiredOption('--reason <text>', 'the reason, stored with the usage')
    .addHelpText(
      'after',
      examples(`usage ${command.name()} 5f0c9b1e-6d3a-4f5e-9c57-2f6f0c9a7d10 --reason "${reason}"`),
    );
}
