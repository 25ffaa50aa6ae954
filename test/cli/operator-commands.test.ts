import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { shippedWeights } from '../../council/estimate/first-weights.js';
import { openAccount } from '../../db/accounts/accounts.js';
import { weightsSha256 } from '../../db/digests.js';
import { recordRefit } from '../../db/estimate/refits.js';
import { readCurrentWeights, storeWeights } from '../../db/estimate/weights.js';
import { grantCredits } from '../../db/ledger/credit-grants.js';
import { recordProviderCall } from '../../db/pricing/provider-calls.js';
import { putKey } from '../db/support/account-steps.js';
import { answeredCall, bought, buy, complete } from '../db/support/purchases.js';
import { useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';
import { useUpGrants } from '../support/service/use-up-grants.js';

const world = useTestWorld();
const now = new Date();
const day = now.toISOString().slice(0, 10);

const operator = async (...args: readonly string[]) => {
  const { code, out } = await council([...args, '--json'], {
    DATABASE_URL: world.url,
    HOUSE_LIMIT_USD_PER_DAY: '2',
    GRANT_LIMIT_USD_PER_DAY: '1',
  });
  return { code, out, result: code === 0 ? JSON.parse(out) : null };
};

describe('council spend', () => {
  beforeAll(async () => {
    const { db } = world;
    const open = async (fields: { lane?: 'byok'; grant?: boolean } = {}) => {
      const accountId = await world.openAccount(1_000, { weeklyGrant: true });
      if (fields.grant !== true) await useUpGrants(db, accountId, now);
      const lane = fields.lane ?? 'credits';
      if (lane === 'byok') await putKey(world, accountId);
      const eventId = await world.openEvent();
      return bought(db, { accountId, eventId, utcDay: day, lane }, { now });
    };
    const granted = await open({ grant: true });
    const cached = { inputTokens: 8_000, cachedInputTokens: 2_000 };
    const paid = await open();
    const own = await open({ lane: 'byok' });
    await recordProviderCall(db, answeredCall(granted.reportId, { ...cached, costUsdMicros: 300_000, now }));
    const search = { stage: 'research', model: 'grok', searches: 3 } as const;
    await recordProviderCall(db, answeredCall(paid.reportId, { ...search, costUsdMicros: 250_000, now }));
    await recordProviderCall(db, answeredCall(own.reportId, { costUsdMicros: 900_000, now }));
  });

  test('shows what the day has taken of each ceiling, by lane, model and stage; own keys are not the house', async () => {
    const { result } = await operator('spend');
    expect(result).toMatchObject({
      day,
      models: 'simulated',
      has_ceilings: true,
      ceilings: [
        { ceiling: 'all', spent_usd: 0.55, open_runs: 2, limit_usd: 2, is_reached: false },
        { ceiling: 'weekly_grants', spent_usd: 0.3, open_runs: 1, limit_usd: 1, is_reached: false },
      ],
      by_lane: [
        { name: 'byok', cost_usd: 0.9, calls: 1, searches: 0 },
        { name: 'credits', cost_usd: 0.25, calls: 1, searches: 3 },
        { name: 'weekly_grant', cost_usd: 0.3, calls: 1, searches: 0 },
      ],
      by_model: [
        { name: 'claude', cost_usd: 0.3, calls: 1, input_tokens: 8_000, cached_input_tokens: 2_000 },
        { name: 'grok', cost_usd: 0.25, calls: 1, searches: 3 },
      ],
      by_stage: [
        { name: 'opinions', cost_usd: 0.3 },
        { name: 'research', cost_usd: 0.25 },
      ],
    });
    const [all] = result.ceilings;
    expect(all.committed_usd).toBeGreaterThan(0);
  });

  test('says in words how much of the input came from a cache', async () => {
    const { out } = await council(['spend'], { DATABASE_URL: world.url });
    expect(out).toContain('claude: 0.3000 USD, 1 calls, 0 searches, 25.0 % of the input from a cache');
  });

  test('another day has its own figures, and no open runs', async () => {
    const { result } = await operator('spend', '--day', '2031-01-01');
    expect(result).toMatchObject({ day: '2031-01-01', by_lane: [], by_model: [] });
    expect(result.ceilings).toMatchObject([
      { spent_usd: 0, committed_usd: 0, open_runs: 0 },
      { spent_usd: 0, committed_usd: 0, open_runs: 0 },
    ]);
  });
});

describe('council accounts', () => {
  test('shows an account by address or id, with its credits, keys and last purchases', async () => {
    const { id, email } = await member();
    const eventId = await world.openEvent();
    const { reportId } = await bought(world.db, { accountId: id, eventId, utcDay: day }, { now });
    await complete(world.db, reportId, 0, now);
    const { result } = await operator('accounts', 'show', '--email', email);
    expect(result).toMatchObject({
      account_id: id,
      email,
      email_verified_at: null,
      suspended_at: null,
      balance_credits: 500,
      owed_credits: 0,
      weekly_grant_available: false,
      keys: [],
      last_purchases: [{ report_id: reportId, kind: 'fresh', lane: 'credits', pool: 'weekly_grant' }],
    });
    expect((await operator('accounts', 'show', '--id', id)).result).toEqual(result);
  });

  test('a suspended account buys nothing until it is restored, and the first reason stays', async () => {
    const { id } = await member();
    const suspend = (reason: string) => operator('accounts', 'suspend', '--id', id, '--reason', reason);
    const purchase = async () =>
      buy(world.db, { accountId: id, eventId: await world.openEvent(), utcDay: day }, { now });
    expect((await suspend('made-up addresses')).result).toMatchObject({
      suspended_because: 'made-up addresses',
    });
    expect((await suspend('something else')).result).toMatchObject({
      suspended_because: 'made-up addresses',
    });
    expect(await purchase()).toMatchObject({ refused: 'account_suspended' });
    expect((await operator('accounts', 'restore', '--id', id)).result).toMatchObject({ suspended_at: null });
    expect(await purchase()).toMatchObject({ kind: 'fresh' });
  });

  test('verifies an address, and refuses an account that has none', async () => {
    const { id } = await member();
    const { result } = await operator('accounts', 'verify', '--id', id);
    expect(Date.parse(result.email_verified_at)).not.toBeNaN();
    const nobody = await operator('accounts', 'verify', '--id', await world.openAccount());
    expect(nobody.code).toBe(1);
    expect(nobody.out).toContain('has no address');
  });

  test('an unknown account is an error that names it', async () => {
    const unknown = await operator('accounts', 'show', '--email', 'nobody@example.com');
    expect(unknown.code).toBe(1);
    expect(unknown.out).toContain('nobody@example.com');
  });
});

describe('council weights', () => {
  const weights = (...args: string[]) => council(['weights', ...args], { DATABASE_URL: world.url });
  const first = shippedWeights.id;

  test('weights are listed with their refits, shown with their hash, and put in force', async () => {
    const refitted = { ...shippedWeights, id: 'refit-2031-03-02' };
    await recordRefit(world.db, {
      id: refitted.id,
      cutOff: now,
      incumbentId: first,
      weights: refitted,
      activate: false,
      evidence: { eValue: 1.5, events: 40 },
      reason: 'not better',
      now: now,
    });
    const listed = JSON.parse((await weights('list', '--json')).out);
    expect(listed.weights.map((each: { id: string; in_force: boolean }) => [each.id, each.in_force])).toEqual(
      expect.arrayContaining([
        [first, true],
        [refitted.id, false],
      ]),
    );
    expect(listed.refits).toEqual([
      {
        id: refitted.id,
        cut_off: now.toISOString(),
        incumbent: first,
        weights: refitted.id,
        activated: false,
        e_value: 1.5,
        events_counted: 40,
        reason: 'not better',
      },
    ]);
    const shown = JSON.parse((await weights('show', refitted.id)).out);
    expect(shown).toEqual({
      ...refitted,
      sha256: weightsSha256(refitted),
      refit: listed.refits[0],
      activated_by: null,
    });

    const activate = (id: string) => weights('activate', id, '--reason', 'looked at it', '--json');
    expect(JSON.parse((await activate(refitted.id)).out)).toEqual({ id: refitted.id, activated: true });
    expect((await readCurrentWeights(world.db)).weights).toEqual(refitted);
    expect(JSON.parse((await activate(refitted.id)).out)).toEqual({ id: refitted.id, activated: false });
  });

  test('evaluate finds stored weights by their id', async () => {
    await storeWeights(world.db, { ...shippedWeights, id: 'stored' }, now);
    const evaluated = await council(['evaluate', 'test/cli/forecasts.csv', '--weights', 'stored'], {
      DATABASE_URL: world.url,
    });
    expect(JSON.parse(evaluated.out).estimate_by.weights.id).toBe('stored');
  });

  test('unknown weights are named, and nothing is put in force', async () => {
    expect(await weights('activate', 'unknown', '--reason', 'test')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There are no weights unknown.'),
    });
  });
});

async function member(): Promise<{ readonly id: string; readonly email: string }> {
  const email = `${randomUUID()}@example.com`;
  const { id } = await openAccount(world.db, { issuer: 'test', subject: email, email, newId: randomUUID() });
  const operationId = randomUUID();
  await grantCredits(world.db, { accountId: id, credits: 500, reason: 'test', operationId, now });
  return { id, email };
}
