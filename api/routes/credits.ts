import type { creditOperations } from '../../contract/credits.js';
import { findAccount } from '../../db/accounts/accounts.js';
import { readOwedCredits } from '../../db/billing/reverse-purchase.js';
import { balanceCredits, readStatement } from '../../db/ledger/ledger.js';
import { findUsableGrant } from '../../db/ledger/weekly-grants.js';
import { currentQuote } from '../../db/pricing/quotes.js';
import { packs } from '../../purchase/billing.js';
import type { ApiContext } from '../context.js';
import type { Handlers } from '../http/serve-operations.js';
import { presentBalance, presentLedgerEntry, presentPack, presentPricing } from '../present/prices.js';
import type { ReadGrantClaimant } from '../purchases/grant-claimant.js';

/** Prices, the balance and its ledger. */
export function creditHandlers(
  { db, simulated, policy, now }: ApiContext,
  readClaimant: ReadGrantClaimant,
): Handlers<typeof creditOperations> {
  return {
    getPricing: async () => presentPricing(await currentQuote(db, simulated)),
    listPacks: () => ({ packs: Object.values(packs).map(presentPack) }),
    getBalance: async ({ request, caller: { accountId } }) => {
      const quote = await currentQuote(db, simulated);
      const purchasedCredits = await balanceCredits(db, accountId, 'purchased');
      const owedCredits = await readOwedCredits(db, accountId);
      const claimant = await readClaimant(request, accountId);
      const grantAvailable =
        (await findUsableGrant(db, accountId, { now: now(), policy, claimant })) !== null;
      const account = await findAccount(db, accountId);
      const needsVerifiedEmail = policy.grantNeedsVerifiedAddress && account?.emailVerifiedAt === null;
      return presentBalance({
        quote,
        purchasedCredits,
        owedCredits,
        grantAvailable,
        needsVerifiedEmail,
        now: now(),
      });
    },
    listLedger: async ({ query: { page, per_page }, caller }) => {
      const { rows, total } = await readStatement(db, caller.accountId, { page, perPage: per_page });
      return { entries: rows.map(presentLedgerEntry), page, per_page, total };
    },
  };
}
