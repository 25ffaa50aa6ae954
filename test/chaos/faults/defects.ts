import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A defect that the suite must find: a check that cannot fail guards nothing. The text is part of one line, and is the
 * same in the source and in the compiled module, so that a unit test can hold it against the source.
 */
export interface Defect {
  readonly name: string;
  /** The module that has the defect, without extension. */
  readonly module: string;
  /** The file of the deployment that contains the compiled module, if not the module's own. */
  readonly bundle?: string;
  /** Occurs exactly once. */
  readonly correct: string;
  readonly broken: string;
  /** Matches the failures of the check that this defect is for. */
  readonly caughtBy: RegExp;
}

export const defects: readonly Defect[] = [
  {
    // Reports a refund without making it.
    name: 'refund',
    module: 'db/purchases/refunds',
    correct: 'await refundCredits(tx, purchase.transferId, request);',
    broken: '',
    caughtBy: /is failed, its purchase charged$|^drift: /,
  },
  {
    // Calls a model whose answer is stored.
    name: 'asked-again',
    module: 'activities/report/ask-model',
    correct: 'if (hasAnswered(opened.run.deliberation, stage, model))',
    broken: 'if (false)',
    caughtBy: /after its answer was stored$/,
  },
  {
    // Allows a charge after the caller was answered that nothing was charged.
    name: 'charged-after-no',
    module: 'db/purchases/refunds',
    correct: 'const isWithdrawn = await insertTombstone(db, request);',
    broken: 'const isWithdrawn = (await findReceipt(db, request.purchaseId)) === null;',
    caughtBy: /was reported to nobody/,
  },
  {
    // Leaves completed reports out of the record.
    name: 'record',
    module: 'db/reports/complete-report',
    correct: 'await storeForecastAndQuote(tx, { ...completed, reportId }, completion);',
    broken:
      'if (reportId % 7 !== 0) await storeForecastAndQuote(tx, { ...completed, reportId }, completion);',
    caughtBy: /in the record$/,
  },
  {
    // Does not refund a failed run.
    name: 'lost',
    module: 'activities/report/refund-report',
    correct: 'const { receipt, given } = await refundPurchase(db, { ...input, now: now() });',
    broken: 'const [receipt, given] = [{ reportId: null, credits: 0 }, false];',
    caughtBy: /^sold, then failed by us: .*abandoned/,
  },
  {
    // A search in Temporal finds failed runs as if they were processing.
    name: 'unfindable',
    module: 'workflows/run-status',
    bundle: 'workflow-bundle.cjs',
    correct: "ReportStatus, value: 'failed' }",
    broken: "ReportStatus, value: 'processing' }",
    caughtBy: /^report \d+ is failed .* with the ReportStatus processing$/,
  },
  {
    // Sends to endpoints of other accounts, too.
    name: 'overheard',
    module: 'db/webhooks/outbox',
    correct: 'join webhook_endpoints as endpoint on endpoint.account_id = news.account_id',
    broken:
      'join webhook_endpoints as endpoint on left(endpoint.id::text, 1) = left(news.account_id::text, 1)',
    caughtBy: /^webhook: .* which it should not$/,
  },
  {
    // Forgets one delivery in eight when it is decided.
    name: 'unsent',
    module: 'db/webhooks/outbox',
    correct: "where endpoint.status = 'active' and",
    broken: "where random() < 0.875 and endpoint.status = 'active' and",
    caughtBy: /^webhook: .* did not receive /,
  },
  {
    // Waits without limit on a connection that was lost without being closed.
    name: 'deaf',
    module: 'db/database',
    correct: 'socket.setTimeout(silenceMaxMs,',
    broken: 'socket.setTimeout(0,',
    caughtBy: /^cut-off: /,
  },
  {
    // Keeps the locks of a process that stands still in the middle of a transaction.
    name: 'held-lock',
    module: 'db/database',
    correct: 'idle_in_transaction_session_timeout: limits.idleInTransactionMaxMs,',
    broken: 'idle_in_transaction_session_timeout: 0,',
    caughtBy: /^stopped sale: /,
  },
];

/** The text with the defect. @throws Error when the text does not contain the correct code exactly once */
export function insertDefect({ name, module, correct, broken }: Defect, text: string): string {
  const times = text.split(correct).length - 1;
  if (times !== 1) {
    throw new Error(
      `the defect ${name} does not match ${module}: found ${times} times, not once: ${correct}`,
    );
  }
  return text.replace(correct, () => broken);
}

/** Inserts the defect into a copy of the compiled service. */
export async function plantDefect(defect: Defect, compiled: string): Promise<void> {
  const path = join(compiled, defect.bundle ?? `${defect.module}.js`);
  await writeFile(path, insertDefect(defect, await readFile(path, 'utf8')));
}
