import type { Migration as UpMigration } from 'kysely';
import { up as sessions } from './0001-sessions.js';
import { up as accountsAndKeys } from './0002-accounts-and-keys.js';
import { up as eventsAndReports } from './0003-events-and-reports.js';
import { up as ledger } from './0004-ledger.js';
import { up as purchasesAndQuotes } from './0005-purchases-and-quotes.js';
import { up as lanesAndPayments } from './0006-lanes-and-payments.js';
import { up as record } from './0007-record.js';
import { up as sampleReports } from './0008-sample-reports.js';
import { up as reportNumbers } from './0009-report-numbers.js';
import { up as usageRetries } from './0010-usage-retries.js';
import { up as followedCheckouts } from './0011-followed-checkouts.js';
import { up as runLimitsAndSlugs } from './0012-run-limits-and-slugs.js';
import { up as quoteWindows } from './0013-quote-windows.js';
import { up as growth } from './0014-growth.js';
import { up as modelCallsOnce } from './0015-model-calls-once.js';
import { up as estimateWeights } from './0016-estimate-weights.js';
import { up as publicChain } from './0017-public-chain.js';
import { up as evidence } from './0018-evidence.js';
import { up as accountsInTheOpen } from './0019-accounts-in-the-open.js';
import { up as throttles } from './0020-throttles.js';
import { up as marketAnswers } from './0021-market-answers.js';
import { up as heldAnswers } from './0022-held-answers.js';
import { up as houseCeilings } from './0023-house-ceilings.js';
import { up as payersOfCalls } from './0024-payers-of-calls.js';
import { up as grantClaims } from './0025-grant-claims.js';
import { up as unusedCalls } from './0028-unused-calls.js';
import { up as houseSpend } from './0030-house-spend.js';
import { up as fullAuditFailures } from './0031-full-audit-failures.js';
import { up as paymentAlerts } from './0032-payment-alerts.js';
import { up as unpaidUsage } from './0033-unpaid-usage.js';

export interface Migration {
  readonly up: UpMigration['up'];
  /**
   * Without a transaction, for what takes long on a big table: its steps are those of `online.ts`. It may be killed and
   * run again.
   */
  readonly online?: boolean;
}

/** Listed here, not read from a folder, so the compiled service and the tests run the same list. */
export const migrations: Record<string, Migration> = {
  '0001-sessions': { up: sessions },
  '0002-accounts-and-keys': { up: accountsAndKeys },
  '0003-events-and-reports': { up: eventsAndReports },
  '0004-ledger': { up: ledger },
  '0005-purchases-and-quotes': { up: purchasesAndQuotes },
  '0006-lanes-and-payments': { up: lanesAndPayments },
  '0007-record': { up: record },
  '0008-sample-reports': { up: sampleReports },
  '0009-report-numbers': { up: reportNumbers },
  '0010-usage-retries': { up: usageRetries },
  '0011-followed-checkouts': { up: followedCheckouts },
  '0012-run-limits-and-slugs': { up: runLimitsAndSlugs },
  '0013-quote-windows': { up: quoteWindows },
  '0014-growth': { up: growth },
  '0015-model-calls-once': { up: modelCallsOnce },
  '0016-estimate-weights': { up: estimateWeights },
  '0017-public-chain': { up: publicChain },
  '0018-evidence': { up: evidence },
  '0019-accounts-in-the-open': { up: accountsInTheOpen },
  '0020-throttles': { up: throttles },
  '0021-market-answers': { up: marketAnswers },
  '0022-held-answers': { up: heldAnswers },
  '0023-house-ceilings': { up: houseCeilings },
  '0024-payers-of-calls': { up: payersOfCalls, online: true },
  '0025-grant-claims': { up: grantClaims },
  '0028-unused-calls': { up: unusedCalls },
  '0030-house-spend': { up: houseSpend },
  '0031-full-audit-failures': { up: fullAuditFailures },
  '0032-payment-alerts': { up: paymentAlerts },
  '0033-unpaid-usage': { up: unpaidUsage, online: true },
};
