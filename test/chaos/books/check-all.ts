import { auditBooks } from '../../../db/audit/audit-books.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Customer } from '../load/customers.js';
import type { ReportClient } from '../load/report-client.js';
import { checkWebhooks, type WebhookCheck, type WebhookWorld } from '../webhooks/check-webhooks.js';
import { type Books, readBooks } from './books.js';
import { type CallEnds, readEnds } from './call-ends.js';
import { checkAnswers } from './check-answers.js';
import { checkCalls } from './check-calls.js';
import { checkEnds, type EndCheck } from './check-ends.js';
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
  readonly failedByUs: EndCheck['failedByUs'];
  readonly webhookCounts: WebhookCheck['counts'];
}

interface Observed {
  readonly customers: readonly Customer[];
  readonly journal: Journal;
  readonly client: ReportClient;
  readonly webhooks: WebhookWorld;
}

/** Compares the final state with every response that callers received and every call that vendors logged. */
export async function checkAll(
  deployment: Deployment,
  { customers, journal, client, webhooks }: Observed,
): Promise<CheckResult> {
  const { database, outside, timeline } = deployment;
  const { db } = database;
  await readEveryReport(journal, client);
  const books = await readBooks(db);
  const audit = await auditBooks(db, new Date());
  await sealRecord(db);
  const record = await verifyRecord(db);
  const ended = books.reports.filter(({ status }) => status === 'completed' || status === 'failed').length;
  // One of each sale, and one of each end.
  const entries = books.reports.length + ended;
  const stored = await readStoredAnswers(db);
  const calls = checkCalls({ requests: outside.requests, stored, books, customers, timeline });
  const { repeats, faults: repeatFaults } = await checkRepeats(deployment, books);
  const { failedByUs, faults: endFaults } = await checkEnds(deployment, books);
  const checked = await checkWebhooks(db, webhooks, books);
  return {
    faults: [
      ...audit.drift.map(fault => `drift: ${fault}`),
      ...record.faults.map(fault => `record: ${fault}`),
      ...(record.entries === entries ? [] : [`${entries} sales and ends, ${record.entries} in the record`]),
      ...checkAnswers(journal, books),
      ...(await checkMoney(db, customers)),
      ...calls.faults,
      ...repeatFaults,
      ...endFaults,
      ...checked.faults,
    ],
    books,
    recordEntries: record.entries,
    transfers: audit.checked.transfers,
    drift: audit.drift.length,
    overlaps: calls.overlaps,
    repeats,
    ends: await readEnds(deployment),
    failedByUs,
    webhookCounts: checked.counts,
  };
}

/** Every customer reads each of its reports once more over HTTP. */
async function readEveryReport({ attempts }: Journal, client: ReportClient): Promise<void> {
  const bought = new Map(
    attempts.flatMap(({ customer, outcome }) => {
      if (outcome.kind !== 'receipt') return [];
      const { report_id: reportId } = outcome.receipt;
      return [[`${customer.accountId} ${reportId}`, { customer, reportId }]];
    }),
  );
  for (const { customer, reportId } of bought.values()) await client.readReport(customer, reportId, 0);
}
