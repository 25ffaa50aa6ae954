import { Router } from 'express';
import { type BalanceView, type LedgerEntryView, ledgerParameters } from '../../contract/credits.js';
import { nextMonday } from '../../council/calendar.js';
import { packs } from '../../council/purchase/billing.js';
import { balanceCredits, readStatement } from '../../db/ledger/ledger.js';
import { findUsableGrant } from '../../db/ledger/weekly-grants.js';
import { currentQuote } from '../../db/pricing/quotes.js';
import { anyone, principalOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { parseParameters } from '../http/parse.js';
import { presentPack, presentPricing } from '../present/prices.js';

/** `/api/credits`: prices, the balance, and what moved it. */
export function creditsRouter(context: ApiContext): Router {
  const router = Router();

  router.get('/pricing', async (_request, response) => {
    response.json(presentPricing(await currentQuote(context.db, context.simulated)));
  });

  router.get('/packs', (_request, response) => {
    response.json({ packs: Object.values(packs).map(presentPack) });
  });

  router.get('/balance', anyone(context), async (_request, response) => {
    const { accountId } = principalOf(response);
    const quote = await currentQuote(context.db, context.simulated);
    const balance: BalanceView = {
      balance_credits: await balanceCredits(context.db, accountId, 'purchased'),
      weekly_grant: {
        available: (await findUsableGrant(context.db, accountId, context.now())) !== null,
        worth_credits: quote.freshCredits,
        resets_at: nextMonday(context.now()).toISOString(),
      },
    };
    response.json(balance);
  });

  router.get('/ledger', anyone(context), async (request, response) => {
    const { page, per_page } = parseParameters(ledgerParameters, request.query);
    const { accountId } = principalOf(response);
    const { rows, total } = await readStatement(context.db, accountId, { page, perPage: per_page });
    const entries: LedgerEntryView[] = rows.map(line => ({ ...line, at: line.at.toISOString() }));
    response.json({ entries, page, per_page, total });
  });

  return router;
}
