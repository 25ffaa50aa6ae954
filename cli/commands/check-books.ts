import type { Command } from 'commander';
import { auditBooks, type BookAudit } from '../../db/audit/audit-books.js';
import type { Db } from '../../db/database.js';
import type { CommandContext } from '../command-context.js';
import { examples } from '../terminal/command-line.js';
import type { Output, Paint } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('check')
    .description(
      'Audits ledger, purchases, grants and usage, without changing anything. Exits with 1 if the books do not balance.',
    )
    .summary('audit the books')
    .addHelpText('after', examples('ledger check', 'ledger check --json'))
    .action(async () => {
      await context.database(db => checkLedger(db, context.output, new Date()));
    });
}

/**
 * Audits the books and lists what does not balance.
 * @returns false when something does not balance
 */
async function checkLedger(db: Db, output: Output, now: Date): Promise<boolean> {
  output.flicker('Auditing the books');
  const audit = await auditBooks(db, now);
  const { drift, notices, checked } = audit;
  const ok = drift.length === 0;
  output.result({ ok, drift, notices, checked }, describe(audit, output.paint));
  if (!ok) output.next('Nothing was changed. db/README.md describes the invariants.');
  return ok;
}

function describe({ drift, notices, checked }: BookAudit, paint: Paint): string {
  const counts = Object.entries(checked).map(([table, rows]) => `${rows} ${table.replaceAll('_', ' ')}`);
  return [
    drift.length === 0
      ? paint.good('The books balance.')
      : paint.bad(`The books do NOT balance, in ${drift.length} places:`),
    ...drift.map(fault => `  ${fault}`),
    ...(notices.length === 0 ? [] : ['To review:', ...notices.map(notice => `  ${notice}`)]),
    `Checked: ${counts.join(', ')}.`,
  ].join('\n');
}
