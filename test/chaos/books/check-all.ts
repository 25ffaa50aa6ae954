import { auditBooks } from '../../../db/audit/audit-books.js';
import { verifyRecord } from '../../../db/track-record/record.js';
import type { Customer } from '../load/customers.js';
import type { Shop } from '../load/shop.js';
import type { Stage } from '../stage/stage.js';
import { type Books, readBooks } from './books.js';
import { checkAnswers } from './check-answers.js';
import { checkCalls } from './check-calls.js';
import { checkMoney } from './check-money.js';
import type { Diary } from './diary.js';
import { readStoredAnswers } from './stored-answers.js';

export interface Verdict {
  readonly faults: readonly string[];
  readonly books: Books;
  readonly recordEntries: number;
  readonly transfers: number;
  readonly overlaps: number;
}

/** Holds what is there after the storm against everything that callers were told and vendors were asked. */
export async function checkAll(
  stage: Stage,
  world: { customers: readonly Customer[]; diary: Diary; shop: Shop },
): Promise<Verdict> {
  const { db } = stage.database;
  const { customers, diary } = world;
  await lookAtEverything(world);
  const books = await readBooks(db);
  const audit = await auditBooks(db, new Date());
  const record = await verifyRecord(db);
  const completed = books.reports.filter(({ status }) => status === 'completed').length;
  const stored = await readStoredAnswers(db);
  const { asked } = stage.outside;
  const calls = checkCalls({ asked, stored, books, customers, timeline: stage.timeline });
  return {
    faults: [
      ...audit.drift.map(fault => `drift: ${fault}`),
      ...record.faults.map(fault => `record: ${fault}`),
      ...(record.entries === completed ? [] : [`${completed} reports, ${record.entries} in the record`]),
      ...(await commandFaults(stage)),
      ...checkAnswers(diary, books),
      ...checkMoney(customers, books),
      ...calls.faults,
    ],
    books,
    recordEntries: record.entries,
    transfers: audit.checked.transfers,
    overlaps: calls.overlaps,
  };
}

/** Everybody looks once more at every report that they were told of: over HTTP, as customers do. */
async function lookAtEverything({ diary, shop }: { diary: Diary; shop: Shop }): Promise<void> {
  const told = new Map(
    diary.wishes.flatMap(({ customer, told: { kind, ...rest } }) => {
      if (kind !== 'receipt' || !('receipt' in rest)) return [];
      const { report_id } = rest.receipt;
      return [[`${customer.accountId} ${report_id}`, { customer, reportId: report_id }] as const];
    }),
  );
  for (const { customer, reportId } of told.values()) await shop.look(customer, reportId, 0);
}

/** What an operator would be told. */
async function commandFaults(stage: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const args of [
    ['ledger', 'check'],
    ['record', 'verify'],
  ]) {
    const { code, output } = await stage.council(...args);
    if (code !== 0) faults.push(`council ${args.join(' ')} ended with ${code}: ${output}`);
  }
  return faults;
}
