import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { findAccount, findAccountsByEmail } from '../../db/accounts/accounts.js';
import { findKeyHolder, listApiKeys, mintApiKey } from '../../db/accounts/api-keys.js';
import { listProviderKeys } from '../../db/accounts/provider-keys.js';
import { auditBooks } from '../../db/audit/audit-books.js';
import { type AuditHorizon, readHorizon } from '../../db/audit/audit-horizon.js';
import { isKnownPayment } from '../../db/billing/checkouts.js';
import { readOwedCredits } from '../../db/billing/reverse-purchase.js';
import { findActiveSubscription, findSubscriptionObstacle } from '../../db/billing/subscriptions.js';
import { markUsagePaid, sumUsage } from '../../db/billing/usage.js';
import { listDueCancellations } from '../../db/billing/usage-corrections.js';
import { listDueUsage } from '../../db/billing/usage-sending.js';
import type { Db } from '../../db/database.js';
import { readGradedReports } from '../../db/estimate/graded-reports.js';
import { readCurrentWeights } from '../../db/estimate/weights.js';
import { readHouseFigures } from '../../db/house/house-day.js';
import { readSpend } from '../../db/house/spend.js';
import { readGrantsClaimed } from '../../db/ledger/grant-claims.js';
import { readStatement } from '../../db/ledger/ledger.js';
import { readMoneyInFlight } from '../../db/ledger/money-in-flight.js';
import { expireGrants } from '../../db/ledger/weekly-grants.js';
import { currentQuote, readQuoteHistory } from '../../db/pricing/quotes.js';
import { prune } from '../../db/pruning/prune.js';
import { readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import { findReceipt } from '../../db/purchases/receipts.js';
import { readDeliberation } from '../../db/reports/deliberation.js';
import {
  findSampleReport,
  listReports,
  readReport,
  readReportState,
  readReportVersion,
} from '../../db/reports/reports.js';
import { listUnfinishedRuns } from '../../db/reports/run.js';
import type { Database } from '../../db/schema/schema.js';
import { findCurrentGrade, readGradableReports, saveGrade } from '../../db/track-record/grades.js';
import { listEventsToResolve, listReportsToGrade } from '../../db/track-record/grading-selections.js';
import { readPublicChain } from '../../db/track-record/public-chain.js';
import { findRecordEntry, readNewestEntry, readRecordHead } from '../../db/track-record/record.js';
import { listRecordTimestamps } from '../../db/track-record/record-timestamps.js';
import {
  exportedPageMax,
  readCurrentGrades,
  readExportedGrades,
  readGradesVersion,
} from '../../db/track-record/track-record.js';
import { listDeliveries } from '../../db/webhooks/deliveries.js';
import { listEndpoints } from '../../db/webhooks/endpoints.js';
import { claimDeliveries } from '../../db/webhooks/outbox.js';
import { readSigningSecrets } from '../../db/webhooks/secrets.js';
import { openTry } from '../../db/webhooks/tries.js';
import { readWebhookFigures } from '../../db/webhooks/waiting.js';
import { openingQuote } from '../../purchase/quote.js';
import { unlimitedSales } from '../council/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../support/service/test-database.js';
import { crowdedTables, insertCrowd } from './support/crowd.js';
import { bought, complete, purchaseRequest, refund } from './support/purchases.js';
import { newAccount, newEvent, noon, today } from './support/test-world.js';

/** What one account and the hourly duties read, among 100,000 rows of others in each table. */
let database: TestDatabase;
/** Runs statements as the service does, and remembers them. */
let db: Db;
const statements: CompiledQuery[] = [];
let accountId = '';
let reportId = 0;
const apiKeyId = randomUUID();
let horizon: AuditHorizon;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void statements.push(event.query),
  });
  accountId = await newAccount(db, 10_000, false);
  for (const _ of [1, 2, 3]) reportId = await sell();
  const limits = { scope: 'spend', expiresAt: null, maxCreditsPerDay: 500 } as const;
  const key = { id: apiKeyId, accountId, name: 'test', keyPrefix: 'test', keyHash: Buffer.alloc(32, 1) };
  await mintApiKey(db, { ...key, limits, now: noon });
  await insertCrowd(database.ownerUrl);
  horizon = await readHorizon(db);
}, 120_000);

afterAll(() => database.drop());

async function sell(): Promise<number> {
  const sold = await bought(db, { accountId, eventId: await newEvent(db) });
  await complete(db, sold.reportId);
  return sold.reportId;
}

/** Ceilings that are read, and that nothing reaches. */
const oneDollar = { ...unlimitedSales, houseLimitUsdMicros: 1_000_000 };
const paging = { page: 1, perPage: 20 };
const situation = () => ({
  accountId,
  apiKeyId,
  eventId: 'crowd-7',
  utcDay: today,
  lane: 'credits' as const,
  minMembers: 3,
});

const reads = {
  'the reports of an account': () => listReports(db, accountId, { ...paging, status: null }),
  'the completed reports of an account': () => listReports(db, accountId, { ...paging, status: 'completed' }),
  'a report': async () => [
    await readReport(db, accountId, reportId),
    await readReportVersion(db, accountId, reportId),
    await readReportState(db, accountId, reportId),
    await readDeliberation(db, reportId),
    await findCurrentGrade(db, reportId),
    await findRecordEntry(db, reportId),
  ],
  'the statement of an account': () => readStatement(db, accountId, paging),
  'the keys of an account': async () => [
    await listApiKeys(db, accountId, noon),
    await listProviderKeys(db, accountId),
    await findKeyHolder(db, Buffer.alloc(32)),
  ],
  'what an account pays and owes': async () => [
    await readOwedCredits(db, accountId),
    await sumUsage(db, accountId, new Date(0), noon),
    await findActiveSubscription(db, accountId, noon),
    await findSubscriptionObstacle(db, accountId, noon),
    await markUsagePaid(db, { customerId: 'cus_1', periods: [{ from: new Date(0), to: noon }] }, noon),
    await isKnownPayment(db, 'pi_1'),
  ],
  'the claims of a mailbox and a network': () =>
    readGrantsClaimed(db, { mailbox: '7', network: '7', site: '7' }, { week: today, now: noon }),
  'an account by its address and by its id': async () => [
    await findAccountsByEmail(db, '7@example.com'),
    await findAccount(db, accountId),
  ],
  'the price': async () => [
    await currentQuote(db, true),
    await currentQuote(db, false),
    await readQuoteHistory(db, { simulated: true, limit: 10 }),
  ],
  'what a purchase decides on': async () => [
    await readPurchaseSituation(db, situation(), { simulated: true, now: noon, policy: oneDollar }),
    await findReceipt(db, randomUUID()),
  ],
  'the ceilings': async () => [
    await readHouseFigures(db, { simulated: true, now: noon, quote: openingQuote }),
    await readSpend(db, { simulated: true, day: today }),
  ],
  'the weights in force': () => readCurrentWeights(db),
  'the money in flight': async () => [await listUnfinishedRuns(db), await readMoneyInFlight(db, noon)],
  'usage to send': () => listDueUsage(db, noon, { customersMax: 200, rowsPerCustomerMax: 20 }),
  'usage to cancel': () => listDueCancellations(db, noon, 100),
  'grants to expire': () => expireGrants(db, () => noon),
  'the webhooks of an account, and the deliveries to one': async () => [
    await listEndpoints(db, accountId),
    await listDeliveries(db, randomUUID(), paging),
  ],
  'webhooks to hand over': async () => [
    await claimDeliveries(db, { now: noon, max: 50 }),
    await readWebhookFigures(db, noon),
    await openTry(db, randomUUID(), noon),
    await readSigningSecrets(db, randomUUID(), noon),
  ],
};

const pages: Record<string, () => Promise<unknown>> = {
  'a page of the track record': async () => [
    await readGradesVersion(db),
    await readCurrentGrades(db, true, { after: 1_050_000, limit: 200 }),
    await readExportedGrades(db, true, { after: 1_050_000, limit: exportedPageMax }),
    await readRecordHead(db),
    await findSampleReport(db),
  ],
  'a page of the public chain': async () => [
    await readPublicChain(db, { after: 1_050_000, limit: 100, now: noon }),
    await readNewestEntry(db),
    await listRecordTimestamps(db, { after: 0, limit: 100 }),
  ],
  'a page of what to grade': async () => {
    const page = { venues: ['sample'] as const, after: null, limit: 50, now: noon };
    await listEventsToResolve(db, { kind: 'due' }, page);
    await listEventsToResolve(db, { kind: 'event', eventId: 'crowd-7' }, page);
    const ids = await listReportsToGrade(db, { kind: 'due' }, { after: 0, limit: 50, grader: 'grader/1' });
    await readGradableReports(db, ids);
  },
  'a page of what to learn from': () =>
    readGradedReports(db, { simulated: true, before: noon, after: 1_050_000, limit: 100 }),
  pruning: () => prune(db, noon),
};

const writes: Record<string, () => Promise<unknown>> = {
  'a sale and its completion': sell,
  'a refund': async () => {
    const request = purchaseRequest({ accountId, eventId: await newEvent(db) });
    await bought(db, request);
    await refund(db, request);
  },
  'a grade': async () => {
    const grade = { reportId, resolutionId: 1_000_007, grader: 'grader/2', state: 'void' } as const;
    await saveGrade(db, { ...grade, scores: null, openMarkets: 0, now: noon });
  },
  'an audit of the changes': async () => {
    expect(await auditBooks(db, noon, horizon)).toMatchObject({ scope: 'changes' });
  },
};

describe('among 100,000 rows of others, no statement reads or sorts a big table', () => {
  test.each(Object.entries({ ...reads, ...pages, ...writes }))('for %s', async (name, run) => {
    expect(await slowStatements(run, name in pages ? pageCostMax : costMax)).toEqual([]);
  });

  test.each([
    ['report_purchases_account', 'the reports of an account'],
    ['reports_counted', 'the money in flight'],
    ['quotes_newest', 'the price'],
    ['usage_outbox_to_cancel', 'usage to cancel'],
    ['provider_calls_day', 'the ceilings'],
  ] as const)('without the index %s, this test finds %s', async (index, name) => {
    const definition = `select indexdef from pg_indexes where indexname = '${index}'`;
    const { rows } = await database.pool.query(definition);
    await database.pool.query(`drop index ${index}`);
    expect(await slowStatements(reads[name])).not.toEqual([]);
    await database.pool.query(rows[0].indexdef);
  });
});

test('a purchase decision reads through the partial indexes', async () => {
  const plans = await plansOf(reads['what a purchase decides on']);
  const text = JSON.stringify(plans);
  expect(text).toContain('"reports_shared_today"');
  expect(text).toContain('"report_purchases_runs"');
  expect(text).toContain('"report_purchases_refunded_runs"');
  expect(text).toContain('"reports_failed_runs"');
  expect(text).toMatch(/"(report_purchases_once|reports_one_live_a_day)"/);
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
}

/** In the planner's units, of which a scan of one of the tables has 1,700 or more, and a lookup by an index about 8. */
const costMax = 800;
/**
 * For a page of 200 rows or a batch of 1,000, each with its own lookups. The dearest asks about the resolution, the grade under
 * it, the last grade and its resolution, of which a report that is graded needs two.
 */
const pageCostMax = 4_000;

/** Runs the work, and explains each statement that it ran. */
async function plansOf(work: () => Promise<unknown>): Promise<{ sql: string; plan: PlanNode }[]> {
  statements.length = 0;
  await work();
  const ran = [...statements].filter(({ sql }) => /^\s*(with|select|insert|update|delete)/i.test(sql));
  return Promise.all(
    ran.map(async ({ sql, parameters }) => {
      const { rows } = await database.pool.query(`explain (format json) ${sql}`, [...parameters]);
      return { sql, plan: rows[0]['QUERY PLAN'][0].Plan };
    }),
  );
}

/** The statements that would take longer with every row of the others. */
async function slowStatements(work: () => Promise<unknown>, limit = costMax): Promise<string[]> {
  const plans = await plansOf(work);
  expect(plans).not.toEqual([]);
  return plans.flatMap(({ sql, plan }) => [
    ...(plan['Total Cost'] > limit ? [`cost ${plan['Total Cost']}: ${sql}`] : []),
    ...scannedTables(plan).map(table => `scan of ${table}: ${sql}`),
  ]);
}

function scannedTables(node: PlanNode): string[] {
  const table = node['Relation Name'] ?? '';
  const isScan = node['Node Type'] === 'Seq Scan' && crowdedTables.has(table);
  return [...(isScan ? [table] : []), ...(node.Plans ?? []).flatMap(scannedTables)];
}
