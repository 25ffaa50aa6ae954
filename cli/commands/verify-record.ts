import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { recordText } from '../../contract/report-text/record-text.js';
import type { Db } from '../../db/database.js';
import { readHeadToConfirm } from '../../db/track-record/record-timestamps.js';
import { verifyRecord } from '../../db/track-record/verify-record.js';
import { publicUrlOf } from '../../platform/settings/settings.js';
import type { CommandContext } from '../command-context.js';
import { examples } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';
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
  group
    .command('anchor')
    .description(
      'Writes number and hash of the newest entry of the record to a file, and prints how to publish it where the service cannot change it: as a signed tag of a public repository, or with OpenTimestamps.',
    )
    .summary('write the head of the record to a file that can be published')
    .argument('<file>', 'the file to write')
    .addHelpText('after', examples('record anchor record-anchor.json'))
    .action(async (file: string) => {
      await context.database(db =>
        anchorRecord(db, context.output, { file, service: publicUrlOf(context.settings()), now: new Date() }),
      );
    });
}

/** What an operator publishes. */
interface Anchor {
  readonly record: 'anchor/1';
  /** The address of the service. */
  readonly service: string;
  readonly number: number;
  readonly hash: string;
  /** When the head was read. ISO 8601. */
  readonly time: string;
}

/** @throws Failure while the record is empty */
async function anchorRecord(
  db: Db,
  output: Output,
  { file, service, now }: { readonly file: string; readonly service: string; readonly now: Date },
): Promise<void> {
  const head = await readHeadToConfirm(db);
  if (head === null) throw new Failure('The record has no entry yet.', { next: 'Sell a report first.' });
  const hash = head.hash.toString('hex');
  const anchor: Anchor = { record: 'anchor/1', service, number: head.seq, hash, time: now.toISOString() };
  writeFileSync(file, `${JSON.stringify(anchor, null, 2)}\n`);
  const commands = [
    `git tag --sign record-${head.seq} --file ${file}`,
    `git push origin record-${head.seq}`,
    `ots stamp ${file}`,
  ];
  output.result(
    { file, ...anchor, commands },
    [
      `Wrote ${file}. ${recordText({ seq: head.seq, hash })}`,
      'Publish it, in a public repository or with OpenTimestamps:',
      ...commands.map(command => `  ${command}`),
    ].join('\n'),
  );
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
