import type { Migration as UpMigration } from 'kysely';
import { up as auth } from './0001-auth.js';
import { up as accounts } from './0002-accounts.js';
import { up as reports } from './0003-reports.js';
import { up as ledger } from './0004-ledger.js';
import { up as purchases } from './0005-purchases.js';
import { up as billing } from './0006-billing.js';
import { up as trackRecord } from './0007-track-record.js';
import { up as throttling } from './0008-throttling.js';
import { up as entriesOfSales } from './0009-entries-of-sales.js';
import { up as shippedWeights } from './0010-shipped-weights.js';
import { up as refitEvidence } from './0011-refit-evidence.js';
import { up as openMarkets } from './0012-open-markets.js';
import { up as receipts } from './0013-receipts.js';
import { up as cachedTokens } from './0014-cached-tokens.js';
import { up as marketGap } from './0015-market-gap.js';
import { up as reportStreams } from './0016-report-streams.js';
import { up as keyLimits } from './0017-key-limits.js';
import { up as webhooks } from './0018-webhooks.js';
import { up as finalWords } from './0019-final-words.js';
import { up as eventRules } from './0020-event-rules.js';
import { up as kalshiIndex } from './0021-kalshi-index.js';
import { up as otherVenue } from './0022-other-venue.js';
import { up as batches } from './0023-batches.js';
import { up as purchasesOfBatches } from './0024-purchases-of-batches.js';

export interface Migration {
  readonly up: UpMigration['up'];
  /**
   * It runs without a transaction, for what takes long on a big table: its steps are those of `online.ts`. It may be killed and
   * run again.
   */
  readonly online?: boolean;
}

/** Listed here, not read from a folder, so the compiled service and the tests run the same list. */
export const migrations: Record<string, Migration> = {
  '0001-auth': { up: auth },
  '0002-accounts': { up: accounts },
  '0003-reports': { up: reports },
  '0004-ledger': { up: ledger },
  '0005-purchases': { up: purchases },
  '0006-billing': { up: billing },
  '0007-track-record': { up: trackRecord },
  '0008-throttling': { up: throttling },
  '0009-entries-of-sales': { up: entriesOfSales, online: true },
  '0010-shipped-weights': { up: shippedWeights },
  '0011-refit-evidence': { up: refitEvidence },
  '0012-open-markets': { up: openMarkets },
  '0013-receipts': { up: receipts, online: true },
  '0014-cached-tokens': { up: cachedTokens },
  '0015-market-gap': { up: marketGap, online: true },
  '0016-report-streams': { up: reportStreams },
  '0017-key-limits': { up: keyLimits, online: true },
  '0018-webhooks': { up: webhooks },
  '0019-final-words': { up: finalWords },
  '0020-event-rules': { up: eventRules },
  '0021-kalshi-index': { up: kalshiIndex },
  '0022-other-venue': { up: otherVenue, online: true },
  '0023-batches': { up: batches },
  '0024-purchases-of-batches': { up: purchasesOfBatches, online: true },
};
