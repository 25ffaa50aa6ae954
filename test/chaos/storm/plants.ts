import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One defect that the suite must find: a check that cannot fail guards nothing. */
export interface Plant {
  readonly name: string;
  /** The compiled module. */
  readonly module: string;
  readonly sound: string;
  readonly broken: string;
}

export const plants: readonly Plant[] = [
  {
    // Says that the money was given back, and keeps it.
    name: 'refund',
    module: 'db/refunds.js',
    sound: 'const refund = transferId === null',
    broken: 'const refund = transferId !== -1',
  },
  {
    // Asks a model again although its answer is stored.
    name: 'asked-again',
    module: 'activities/ask-model.js',
    sound: 'if (run.isAnswered)',
    broken: 'if (false)',
  },
  {
    // A charge may follow the word that nothing was charged.
    name: 'charged-after-no',
    module: 'db/refunds.js',
    sound: 'await bury(tx, request);\n        return {\n            refused',
    broken: 'return {\n            refused',
  },
  {
    // A completed report is left out of the record.
    name: 'record',
    module: 'db/complete-report.js',
    sound: 'await leaveBehind(',
    broken: 'if (reportId % 7 !== 0) await leaveBehind(',
  },
  {
    // A run that fails gives nothing back, and says nothing.
    name: 'lost',
    module: 'activities/refund-report.js',
    sound: 'const { receipt, given } = await refundPurchase(db, { ...wish, now: now() });',
    broken: 'const [receipt, given] = [{ reportId: null, credits: 0 }, false];',
  },
];

/** Puts the defect into a copy of the compiled service. */
export async function sow({ module, sound, broken, name }: Plant, dist: string): Promise<void> {
  const path = join(dist, module);
  const text = await readFile(path, 'utf8');
  if (!text.includes(sound)) throw new Error(`the plant ${name} no longer fits ${module}`);
  await writeFile(path, text.replace(sound, broken));
}
