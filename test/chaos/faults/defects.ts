import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A defect that the suite must find: a check that cannot fail guards nothing. */
export interface Defect {
  readonly name: string;
  /** The compiled module. */
  readonly module: string;
  readonly correct: string;
  readonly broken: string;
}

export const defects: readonly Defect[] = [
  {
    // Reports a refund without making it.
    name: 'refund',
    module: 'db/purchases/refunds.js',
    correct: 'const refund = transferId === null',
    broken: 'const refund = transferId !== -1',
  },
  {
    // Calls a model whose answer is stored.
    name: 'asked-again',
    module: 'activities/report/call-model.js',
    correct: 'if (run.isAnswered)',
    broken: 'if (false)',
  },
  {
    // Allows a charge after the caller was answered that nothing was charged.
    name: 'charged-after-no',
    module: 'db/purchases/refunds.js',
    correct: 'await bury(tx, request);\n        return {\n            refused',
    broken: 'return {\n            refused',
  },
  {
    // Leaves completed reports out of the record.
    name: 'record',
    module: 'db/reports/complete-report.js',
    correct: 'await leaveBehind(',
    broken: 'if (reportId % 7 !== 0) await leaveBehind(',
  },
  {
    // Does not refund a failed run.
    name: 'lost',
    module: 'activities/report/refund-report.js',
    correct: 'const { receipt, given } = await refundPurchase(db, { ...wish, now: now() });',
    broken: 'const [receipt, given] = [{ reportId: null, credits: 0 }, false];',
  },
];

/** Inserts the defect into a copy of the compiled service. */
export async function plantDefect({ module, correct, broken, name }: Defect, dist: string): Promise<void> {
  const path = join(dist, module);
  const text = await readFile(path, 'utf8');
  if (!text.includes(correct)) throw new Error(`the defect ${name} no longer matches ${module}`);
  await writeFile(path, text.replace(correct, broken));
}
