import type { Command } from 'commander';
import type { BatchView } from '../../../contract/batches/batch-shapes.js';
import type { CommandContext } from '../../command-context.js';
import type { CouncilApi } from '../../connections/council-api.js';
import { examples, wholeNumber } from '../../terminal/command-line.js';
import { batchId, namedBatchLine } from './batch-text.js';
import { printBatch } from './watch-batch.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  const add = (verb: string, { description, summary }: { description: string; summary: string }) =>
    group
      .command(verb)
      .description(description)
      .summary(summary)
      .argument('<id>', 'the id of the batch, from `batch list`');
  add('pause', {
    description:
      'Pauses a batch: no further report is bought until it is resumed. Reports that run end in any case.',
    summary: 'buy no further report for now',
  })
    .addHelpText('after', examples('batch pause ID'))
    .action((id: string) => change(context, id, ({ batches }) => batches.update(id, { status: 'paused' })));
  add('resume', {
    description:
      'Lets a paused batch go on, with a new budget if one is given: the whole of it, what is spent included.',
    summary: 'let a paused batch go on',
  })
    .option('--budget <credits>', 'the most that the batch may spend in all', wholeNumber)
    .addHelpText('after', examples('batch resume ID', 'batch resume ID --budget 5000'))
    .action((id: string, { budget }: { budget?: number }) =>
      change(context, id, ({ batches }) =>
        batches.update(id, {
          status: 'running',
          ...(budget === undefined ? {} : { budget_credits: budget }),
        }),
      ),
    );
  add('cancel', {
    description: 'Cancels a batch for good: no further report is bought. Reports that run end in any case.',
    summary: 'buy no further report of a batch',
  })
    .addHelpText('after', examples('batch cancel ID'))
    .action((id: string) =>
      change(context, id, ({ batches }) => batches.update(id, { status: 'cancelled' })),
    );
  add('retry', {
    description:
      'Buys the failed and refused rows of a batch again, within its budget. A completed batch goes on for them.',
    summary: 'try failed and refused rows again',
  })
    .addHelpText('after', examples('batch retry ID'))
    .action((id: string) => change(context, id, ({ batches }) => batches.retry(id)));
}

async function change(
  context: CommandContext,
  id: string,
  send: (api: CouncilApi) => Promise<BatchView>,
): Promise<void> {
  batchId(id);
  const batch = await send(context.customer());
  await printBatch(context.output, batch, async changed => ({
    document: changed,
    text: namedBatchLine(changed),
  }));
}
