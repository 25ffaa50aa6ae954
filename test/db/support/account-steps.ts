import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { findKeyHolder, mintApiKey, revokeApiKey } from '../../../db/accounts/api-keys.js';
import { restoreAccount, suspendAccount } from '../../../db/accounts/standing.js';
import {
  fulfilCheckout,
  openCheckout,
  recordPaymentState,
  saveCheckoutSession,
} from '../../../db/billing/checkouts.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { packs } from '../../../purchase/billing.js';
import { subscribe } from '../../support/service/subscribe.js';
import { pick, step } from './money-step.js';
import { noon, type TestWorld } from './test-world.js';

/** Steps of the money model that concern an account. Each has its own name in a counterexample. */

export const grant = ([index, credits]: [number, number]) =>
  step(`grant(${index}, ${credits})`, async (oracle, { world, accounts }) => {
    const accountId = pick(accounts, index);
    const given = { accountId, credits, reason: 'test', operationId: randomUUID(), now: noon };
    await grantCredits(world.db, given);
    // A retry, as after a lost response.
    await grantCredits(world.db, given);
    oracle.add(accountId, credits);
  });

export const buyPack = (index: number) =>
  step(`buyPack(${index})`, async (oracle, { world, accounts }) => {
    const account = pick(accounts, index);
    const checkoutId = randomUUID();
    const [sessionId, paymentIntentId] = [`cs_${checkoutId}`, `pi_${checkoutId}`];
    const opened = await openCheckout(world.db, {
      checkoutId,
      accountId: account,
      pack: packs.starter,
      now: noon,
    });
    expect(opened).toBe(oracle.purse(account).suspended ? 'suspended' : 'opened');
    if (opened === 'suspended') return;
    await saveCheckoutSession(world.db, checkoutId, sessionId);
    const amountCents = packs.starter.priceUsdCents;
    const paid = { sessionId, paymentIntentId, amountCents, currency: 'usd', checkoutReference: checkoutId };
    expect(await fulfilCheckout(world.db, paid, new Date(oracle.now))).toBe('fulfilled');
    // Stripe can deliver an event twice.
    expect(await fulfilCheckout(world.db, paid, new Date(oracle.now))).toBe('fulfilled_before');
    oracle.buyPack({ account, sessionId, paymentIntentId });
  });

export const changePayment = ([which, refundedUsdCents, disputed]: [number, number, boolean]) =>
  step(
    `changePayment(${which}, ${refundedUsdCents}, ${disputed})`,
    async (oracle, { world }) => {
      const pack = pick(oracle.packs, which);
      const state = { refundedUsdCents, disputed };
      for (const _ of ['first delivery', 'duplicate']) {
        await recordPaymentState(world.db, pack.paymentIntentId, state, new Date(oracle.now));
      }
      oracle.changePayment(pack, refundedUsdCents, disputed);
    },
    oracle => oracle.packs.length > 0,
  );

export const mintKey = (index: number) =>
  step(`mintKey(${index})`, async (oracle, { world, accounts }) => {
    const account = pick(accounts, index);
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

/** Purchases made with a revoked key stay. */
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

type Switch = 'hasKeys' | 'subscribed' | 'suspended' | 'verified';

const toggle =
  (what: Switch, apply: (world: TestWorld, account: string, isOn: boolean) => Promise<unknown>) =>
  (index: number) =>
    step(`toggle ${what}(${index})`, async (oracle, { world, accounts }) => {
      const account = pick(accounts, index);
      const purse = oracle.purse(account);
      purse[what] = !purse[what];
      await apply(world, account, purse[what]);
    });

export const toggleKeys = toggle('hasKeys', (world, account, isOn) =>
  isOn ? putKey(world, account) : world.sql('delete from provider_keys where account_id = $1', [account]),
);
export const toggleSubscription = toggle('subscribed', ({ db }, account, isOn) =>
  subscribe(db, account, isOn ? 'active' : 'canceled'),
);
export const toggleSuspension = toggle('suspended', ({ db }, accountId, isOn) =>
  isOn ? suspendAccount(db, { accountId, reason: 'test', now: noon }) : restoreAccount(db, accountId),
);
export const toggleVerified = toggle('verified', setVerified);

export async function setVerified(world: TestWorld, accountId: string, isVerified: boolean): Promise<void> {
  const at = isVerified ? noon : null;
  await world.sql('update accounts set email_verified_at = $2 where id = $1', [accountId, at]);
}

/** Stores a provider key that reaches every model. */
export function putKey(world: TestWorld, account: string) {
  return world.sql(
    `insert into provider_keys (id, account_id, provider, kid, iv, tag, ciphertext, last4, updated_at)
     values ($1, $2, 'openrouter', 'k', $3, $4, 'x', '1234', now())`,
    [randomUUID(), account, Buffer.alloc(12), Buffer.alloc(16)],
  );
}
