import { expect, test } from '@jest/globals';
import { keptRowsPerDayPerAccount } from '../../purchase/limits.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { useTestBilling } from '../support/use-service.js';

/** What an account may add without paying, and what is kept for good, is bounded. */
const { service } = await useTestBilling();

const countOf = async (table: string, accountId: string) => {
  const { rows } = await service.database.pool.query(`select from ${table} where account_id = $1`, [
    accountId,
  ]);
  return rows.length;
};

test('an account that creates and revokes keys all day leaves 100 of them', async () => {
  const caller = await service.newCaller();
  const before = await countOf('api_keys', caller.accountId);
  for (let keys = before; keys < keptRowsPerDayPerAccount; keys++) {
    const { status, body } = await caller.post('/api/keys', { name: 'again' }, { as: 'session' });
    expect(status).toBe(201);
    await caller.delete(`/api/keys/${body.id}`, { as: 'session' });
  }
  const refused = await caller.post('/api/keys', { name: 'again' }, { as: 'session' });
  expectProblem(refused, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
  expect(await countOf('api_keys', caller.accountId)).toBe(keptRowsPerDayPerAccount);
  const other = await service.newCaller();
  expect((await other.post('/api/keys', { name: 'mine' }, { as: 'session' })).status).toBe(201);
}, 120_000);

test('an account that opens checkouts all day leaves 100 of them, and as many at Stripe', async () => {
  const caller = await service.newCaller();
  for (let checkouts = 0; checkouts < keptRowsPerDayPerAccount; checkouts++) {
    expect((await caller.post('/api/billing/checkout', { pack_id: 'starter' })).status).toBe(201);
  }
  expectProblem(await caller.post('/api/billing/checkout', { pack_id: 'starter' }), 'rate_limited');
  expect(await countOf('checkouts', caller.accountId)).toBe(keptRowsPerDayPerAccount);
}, 120_000);
