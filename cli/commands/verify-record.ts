import type { Command } from 'commander';
import type { Db } from '../../db/database.js';
import { verifyRecord } from '../../db/track-record/verify-record.js';
import type { CommandContext } from '../command-context.js';
import { examples } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('verify')
    .description(
      'Recomputes every hash of the record, and compares the record with the reports. Exits with 1 if an entry was changed, added or removed, is not sealed after a minute, or is hidden after its time.',
    )
    .summary('recompute every hash of the record')
    .addHelpText('after', examples('record verify'))
    .action(async () => {
      await context.database(db => checkRecord(db, context.output));
    });
}

/** Recomputes every hash of the record, and compares it with the reports. @returns false on any difference */
async function checkRecord(db: Db, output: Output): Promise<boolean> {
  output.flicker('Recomputing every hash of the record');
  const { entries, head, faults } = await verifyRecord(db);
  const ok = faults.length === 0;
  output.result(
    { ok, entries, head, faults },
    ok
      ? `The record is intact: ${entries} entries, each chained to the one before. Head: ${head}`
      : ['The record is NOT intact:', ...faults.map(fault => `  ${fault}`)].join('\n'),
  );
  if (!ok) output.next('Nothing was changed. Compare with a backup from before the first entry listed.');
  return ok;
}
