import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { packs } from '../../../council/purchase/billing.js';
import { findKeyHolder, mintApiKey, revokeApiKey } from '../../../db/accounts/api-keys.js';
import {
  fulfilCheckout,
  noteCheckoutSession,
  openCheckout,
  recordPaymentState,
} from '../../../db/billing/checkouts.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { subscribe } from '../../support/service/subscribe.js';
import { pick, step } from './money-step.js';
import { noon, type TestWorld } from './test-world.js';

/** What can happen to an account beside its reports, each under its own name in a counterexample. */

export const grant = ([who, credits]: [number, number]) =>
  step(`grant(${who}, ${credits})`, async (oracle, { world, accounts }) => {
    const accountId = pick(accounts, who);
    const given = { accountId, credits, reason: 'test', operationId: randomUUID(), now: noon };
    await grantCredits(world.db, given);
    // The same operation again, as after a lost answer.
    await grantCredits(world.db, given);
    oracle.purse(accountId).purchased += credits;
  });

export const buyPack = (who: number) =>
  step(`buyPack(${who})`, async (oracle, { world, accounts }) => {
    const account = pick(accounts, who);
    const checkoutId = randomUUID();
    const [sessionId, paymentIntentId] = [`cs_${checkoutId}`, `pi_${checkoutId}`];
    await openCheckout(world.db, { checkoutId, accountId: account, pack: packs.starter, now: noon });
    await noteCheckoutSession(world.db, checkoutId, sessionId);
    const paid = { sessionId, paymentIntentId, amountCents: packs.starter.priceUsdCents, currency: 'usd' };
    expect(await fulfilCheckout(world.db, paid, new Date(oracle.now))).toBe('fulfilled');
    // The event comes twice, as events do.
    expect(await fulfilCheckout(world.db, paid, new Date(oracle.now))).toBe('fulfilled_before');
    oracle.buyPack({ account, sessionId, paymentIntentId });
  });

export const changePayment = ([which, refundedUsdCents, disputed]: [number, number, boolean]) =>
  step(
    `changePayment(${which}, ${refundedUsdCents}, ${disputed})`,
    async (oracle, { world }) => {
      const pack = pick(oracle.packs, which);
      const standing = { refundedUsdCents, disputed };
      for (const _ of ['told', 'told again']) {
        await recordPaymentState(world.db, pack.paymentIntentId, standing, new Date(oracle.now));
      }
      oracle.changePayment(pack, refundedUsdCents, disputed);
    },
    oracle => oracle.packs.length > 0,
  );

export const mintKey = (who: number) =>
  step(`mintKey(${who})`, async (oracle, { world, accounts }) => {
    const account = pick(accounts, who);
    const [id, hash] = [randomUUID(), randomBytes(32)];
    const live = oracle.keys.filter(each => each.account === account && each.live).length;
    const key = {
      id,
      accountId: account,
      name: 'model',
      keyPrefix: 'pc_live_test',
      keyHash: hash,
      now: noon,
    };
    expect((await mintApiKey(world.db, key)) === null).toBe(live >= 20);
    if (live < 20) oracle.keys.push({ account, id, hash, live: true });
  });

/** What a key has bought stays bought; the key opens nothing any more. */
export const revokeKey = (which: number) =>
  step(
    `revokeKey(${which})`,
    async (oracle, { world }) => {
      const key = pick(oracle.keys, which);
      expect(await revokeApiKey(world.db, key.account, key.id, noon)).toBe(key.live);
      key.live = false;
      expect(await findKeyHolder(world.db, key.hash)).toBeNull();
    },
    oracle => oracle.keys.length > 0,
  );

export const toggleKeys = (who: number) =>
  step(`toggleKeys(${who})`, async (oracle, { world, accounts }) => {
    const account = pick(accounts, who);
    const purse = oracle.purse(account);
    purse.hasKeys = !purse.hasKeys;
    if (purse.hasKeys) await putKey(world, account);
    else await world.sql('delete from provider_keys where account_id = $1', [account]);
  });

export const toggleSubscription = (who: number) =>
  step(`toggleSubscription(${who})`, async (oracle, { world, accounts }) => {
    const account = pick(accounts, who);
    const purse = oracle.purse(account);
    purse.subscribed = !purse.subscribed;
    await subscribe(world.db, account, purse.subscribed ? 'active' : 'canceled');
  });

function putKey(world: TestWorld, account: string) {
  return world.sql(
    `insert into provider_keys (id, account_id, provider, kid, iv, tag, ciphertext, last4, updated_at)
     values ($1, $2, 'openrouter', 'k', $3, $4, 'x', '1234', now())`,
    [randomUUID(), account, Buffer.alloc(12), Buffer.alloc(16)],
  );
}
