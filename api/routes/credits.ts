import { type RequestHandler, Router } from 'express';
import { ledgerParameters } from '../../contract/credits.js';
import { findAccount } from '../../db/accounts/accounts.js';
import { readOwedCredits } from '../../db/billing/reverse-purchase.js';
import { balanceCredits, readStatement } from '../../db/ledger/ledger.js';
import { findUsableGrant } from '../../db/ledger/weekly-grants.js';
import { currentQuote } from '../../db/pricing/quotes.js';
import { packs } from '../../purchase/billing.js';
import { anyone, principalOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { parseParameters } from '../http/parse.js';
import { presentBalance, presentLedgerEntry, presentPack, presentPricing } from '../present/prices.js';
import type { ReadGrantClaimant } from '../purchases/grant-claimant.js';

/** `/api/credits`: prices, the balance and its ledger. */
export function creditsRouter(context: ApiContext, readClaimant: ReadGrantClaimant): Router {
  return Router()
    .get('/pricing', pricing(context))
    .get('/packs', (_request, response) => {
      response.json({ packs: Object.values(packs).map(presentPack) });
    })
    .get('/balance', anyone(context), balance(context, readClaimant))
    .get('/ledger', anyone(context), ledger(context));
}

function pricing({ db, simulated }: ApiContext): RequestHandler {
  return async (_request, response) => {
    response.json(presentPricing(await currentQuote(db, simulated)));
  };
}

function balance(
  { db, simulated, policy, now }: ApiContext,
  readClaimant: ReadGrantClaimant,
): RequestHandler {
  return async (request, response) => {
    const { accountId } = principalOf(response);
    const quote = await currentQuote(db, simulated);
    const purchasedCredits = await balanceCredits(db, accountId, 'purchased');
    const owedCredits = await readOwedCredits(db, accountId);
    const claimant = await readClaimant(request, accountId);
    const grantAvailable = (await findUsableGrant(db, accountId, { now: now(), policy, claimant })) !== null;
    const account = await findAccount(db, accountId);
    const needsVerifiedEmail = policy.grantNeedsVerifiedAddress && account?.emailVerifiedAt === null;
    response.json(
      presentBalance({
        quote,
        purchasedCredits,
        owedCredits,
        grantAvailable,
        needsVerifiedEmail,
        now: now(),
      }),
    );
  };
}

function ledger({ db }: ApiContext): RequestHandler {
  return async (request, response) => {
    const { page, per_page } = parseParameters(ledgerParameters, request.query);
    const { accountId } = principalOf(response);
    const { rows, total } = await readStatement(db, accountId, { page, perPage: per_page });
    response.json({ entries: rows.map(presentLedgerEntry), page, per_page, total });
  };
}
