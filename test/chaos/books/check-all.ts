import { auditBooks } from '../../../db/audit/audit-books.js';
import { verifyRecord } from '../../../db/track-record/record.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Customer } from '../load/customers.js';
import type { ReportClient } from '../load/report-client.js';
import { type Books, readBooks } from './books.js';
import { type CallEnds, readEnds } from './call-ends.js';
import { checkAnswers } from './check-answers.js';
import { checkCalls } from './check-calls.js';
import { checkFailures, type FailureCheck } from './check-failures.js';
import { checkMoney } from './check-money.js';
import { checkRepeats, type RepeatCheck } from './check-repeats.js';
import { readStoredAnswers } from './commit-times.js';
import type { Journal } from './journal.js';

export interface CheckResult {
  readonly faults: readonly string[];
  readonly books: Books;
  readonly recordEntries: number;
  readonly transfers: number;
  readonly drift: number;
  readonly overlaps: number;
  readonly repeats: RepeatCheck['repeats'];
  readonly ends: CallEnds;
  readonly failures: FailureCheck;
}

/** Compares the final state with every response that callers received and every call that vendors logged. */
export async function checkAll(
  deployment: Deployment,
  world: { customers: readonly Customer[]; journal: Journal; client: ReportClient },
): Promise<CheckResult> {
  const { db } = deployment.database;
  const { customers, journal } = world;
  await readEveryReport(world);
  const books = await readBooks(db);
  const audit = await auditBooks(db, new Date());
  const record = await verifyRecord(db);
  const completed = books.reports.filter(({ status }) => status === 'completed').length;
  const stored = await readStoredAnswers(db);
  const { requests } = deployment.outside;
  const { timeline } = deployment;
  const calls = checkCalls({ requests, stored, books, customers, timeline });
  const { repeats, faults: repeatFaults } = await checkRepeats(deployment, books);
  const failures = await checkFailures(deployment, books);
  return {
    faults: [
      ...audit.drift.map(fault => `drift: ${fault}`),
      ...record.faults.map(fault => `record: ${fault}`),
      ...(record.entries === completed ? [] : [`${completed} reports, ${record.entries} in the record`]),
      ...(await commandFaults(deployment)),
      ...checkAnswers(journal, books),
      ...checkMoney(customers, books),
      ...calls.faults,
      ...repeatFaults,
      ...failures.faults,
    ],
    books,
    recordEntries: record.entries,
    transfers: audit.checked.transfers,
    drift: audit.drift.length,
    overlaps: calls.overlaps,
    repeats,
    ends: await readEnds(deployment),
    failures,
  };
}

/** Every customer reads each of its reports once more over HTTP. */
async function readEveryReport({
  journal,
  client,
}: {
  journal: Journal;
  client: ReportClient;
}): Promise<void> {
  const outcome = new Map(
    journal.attempts.flatMap(({ customer, outcome: { kind, ...rest } }) => {
      if (kind !== 'receipt' || !('receipt' in rest)) return [];
      const { report_id } = rest.receipt;
      return [[`${customer.accountId} ${report_id}`, { customer, reportId: report_id }] as const];
    }),
  );
  for (const { customer, reportId } of outcome.values()) await client.readReport(customer, reportId, 0);
}

/** What the operators' commands report. */
async function commandFaults(deployment: Deployment): Promise<string[]> {
  const faults: string[] = [];
  for (const args of [
    ['ledger', 'check'],
    ['record', 'verify'],
  ]) {
    const { code, output } = await deployment.council(...args);
    if (code !== 0) faults.push(`council ${args.join(' ')} ended with ${code}: ${output}`);
  }
  return faults;
}
