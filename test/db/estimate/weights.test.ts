import { describe, expect, test } from '@jest/globals';
import { firstWeights, shippedWeights } from '../../../council/estimate/first-weights.js';
import { canonicalWeights, type Weights } from '../../../council/estimate/weights.js';
import { weightsSha256 } from '../../../db/digests.js';
import {
  findActivatingRefit,
  findRefit,
  type NewRefit,
  type Refit,
  readChallengers,
  recordRefit,
} from '../../../db/estimate/refits.js';
import {
  activateWeights,
  findWeights,
  listWeights,
  readCurrentWeights,
  storeWeights,
} from '../../../db/estimate/weights.js';
import { until } from '../../support/until.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const currentId = async () => (await readCurrentWeights(world.db)).weights.id;
const activate = (weightsId: string) =>
  activateWeights(world.db, { weightsId, cause: 'operator', reason: 'test', now: noon });
const activations = () => world.sql('select weights_id, cause from weights_activations order by id');

function weights(id: string, change: Partial<Weights> = {}): Weights {
  return { ...shippedWeights, id, ...change };
}

describe('weights', () => {
  test('that a release ships with are in force until others are, and each release takes its own', async () => {
    const shipped = { weights: shippedWeights, sha256: weightsSha256(shippedWeights) };
    expect(await readCurrentWeights(world.db)).toEqual(shipped);
    expect(await findWeights(world.db, shippedWeights.id)).toEqual(shipped);
    const inForce = (await listWeights(world.db)).filter(each => each.inForce);
    expect(inForce).toEqual([{ ...shipped, inForce: true, activation: null }]);
    // What 1.0.0 reads, which may run beside this release or replace it again, and could not compute with estimate/2.
    expect(await activations()).toEqual([{ weights_id: firstWeights.id, cause: 'first' }]);
    expect((await findWeights(world.db, firstWeights.id))?.weights).toEqual(firstWeights);
  });

  test('are found by id and hash as they were stored, and by no other hash', async () => {
    const stored = weights('kept', { lambda: 0.1 + 0.2 });
    expect(await storeWeights(world.db, stored, noon)).toBe(true);
    const sha256 = weightsSha256(stored);
    expect(await findWeights(world.db, 'kept', sha256)).toEqual({ weights: stored, sha256 });
    expect(await findWeights(world.db, 'kept', weightsSha256(shippedWeights))).toBeNull();
    expect(await findWeights(world.db, 'unknown')).toBeNull();
  });

  test('are stored once, and an id never names two of them', async () => {
    expect(await storeWeights(world.db, weights('once'), noon)).toBe(true);
    expect(await storeWeights(world.db, weights('once'), later({ hours: 1 }))).toBe(true);
    expect(await storeWeights(world.db, weights('once', { lambda: 7 }), noon)).toBe(false);
    expect((await findWeights(world.db, 'once'))?.weights.lambda).toBe(shippedWeights.lambda);
  });

  test('with a text that does not match id or hash are not accepted', async () => {
    const insert = 'insert into estimate_weights (id, sha256, body, stored_at) values ($1, $2, $3, now())';
    const body = canonicalWeights(weights('forged'));
    const sha256 = weightsSha256(weights('forged'));
    await expect(world.sql(insert, ['forged', 'a'.repeat(64), body])).rejects.toThrow('check constraint');
    await expect(world.sql(insert, ['another', sha256, body])).rejects.toThrow('check constraint');
  });

  test.each(['estimate_weights', 'weights_activations', 'weights_refits'])(
    'in %s are never changed',
    async table => {
      await recordRefit(world.db, refit({ id: `kept-${table}`, weights: null, activate: false }));
      await expect(world.sql(`delete from ${table}`)).rejects.toThrow('keeps its rows');
      await expect(world.sql(`truncate ${table} cascade`)).rejects.toThrow('keeps its rows');
      const [column] = await world.sql(
        `select column_name as name from information_schema.columns where table_name = $1 and column_name like '%_at'`,
        [table],
      );
      await expect(world.sql(`update ${table} set ${column.name} = now()`)).rejects.toThrow('keeps its rows');
    },
  );
});

describe('an activation', () => {
  test('puts weights in force, and going back to earlier ones is one more activation', async () => {
    await storeWeights(world.db, weights('next'), noon);
    expect(await activate('next')).toBe('activated');
    expect(await currentId()).toBe('next');
    expect(await activate(firstWeights.id)).toBe('activated');
    expect(await currentId()).toBe(firstWeights.id);
    const listed = await listWeights(world.db);
    expect(listed.filter(({ inForce }) => inForce).map(each => each.weights.id)).toEqual([firstWeights.id]);
    expect(listed.find(each => each.weights.id === 'next')?.activation).toEqual({
      cause: 'operator',
      reason: 'test',
      activatedAt: noon,
    });
  });

  test('of the weights in force, or of unknown ones, changes nothing', async () => {
    const before = await activations();
    expect(await activate(await currentId())).toBe('already_in_force');
    expect(await activate('unknown')).toBe('unknown');
    expect(await activations()).toEqual(before);
  });
});

describe('a refit', () => {
  test('is recorded once with its weights and their activation, however often it is repeated at the same time', async () => {
    const incumbentId = await currentId();
    const once = refit({ id: 'refit-once', incumbentId, weights: weights('refit-once'), activate: true });
    const results = await inParallel(5, () => recordRefit(world.db, once));
    expect(new Set(results.map(({ activated }) => activated))).toEqual(new Set([true]));
    expect(await currentId()).toBe('refit-once');
    expect((await activations()).filter(row => row.weights_id === 'refit-once')).toHaveLength(1);
    expect(await findRefit(world.db, 'refit-once')).toMatchObject({
      incumbentId,
      activated: true,
      reason: 'better',
    });
    await activate(incumbentId);
    await recordRefit(world.db, once);
    expect(await currentId()).toBe(incumbentId);
  });

  test('that does not activate its weights keeps them with the reason', async () => {
    const incumbentId = await currentId();
    const kept = weights('refit-kept');
    const reason = 'worse';
    await recordRefit(world.db, refit({ id: kept.id, incumbentId, weights: kept, activate: false, reason }));
    expect(await currentId()).toBe(incumbentId);
    expect((await findWeights(world.db, kept.id))?.weights).toEqual(kept);
    expect(await findRefit(world.db, kept.id)).toMatchObject({ activated: false, reason });
  });

  test('keeps what the challengers showed, and weights name the refit that put them in force', async () => {
    const incumbentId = await currentId();
    const evidence = { eValue: 0.1 + 0.2, events: 7 };
    const shown = refit({ id: 'refit-shown', incumbentId, weights: weights('refit-kept'), evidence });
    expect(await recordRefit(world.db, { ...shown, activate: false })).toMatchObject({ evidence });
    expect(await findRefit(world.db, 'refit-shown')).toMatchObject({ evidence });
    expect(await findActivatingRefit(world.db, 'refit-once')).toMatchObject({ id: 'refit-once' });
    expect(await findActivatingRefit(world.db, 'refit-kept')).toBeNull();
  });

  test('waits for an activation that is being decided, and then finds it', async () => {
    const incumbentId = await currentId();
    const late = refit({ id: 'refit-late', incumbentId, weights: weights('refit-late'), activate: true });
    let recorded: Promise<Refit> | undefined;
    await world.together(async client => {
      await client.query('select pg_advisory_xact_lock(7107003)');
      recorded = recordRefit(world.db, late);
      await until(
        'the refit waits',
        () => world.sql('select from pg_locks where objid = 7107003 and not granted'),
        waiting => waiting.length > 0,
      );
      await client.query(
        `insert into weights_activations (weights_id, cause, reason, activated_at)
         values ('refit-kept', 'operator', 'test', now())`,
      );
    });
    expect(await recorded).toMatchObject({ activated: false });
    expect(await currentId()).toBe('refit-kept');
  });

  test('never replaces weights that it was not compared with', async () => {
    const id = 'refit-stale';
    const stale = refit({ id, incumbentId: 'next', weights: weights(id), activate: true });
    const inForce = await currentId();
    expect(await recordRefit(world.db, stale)).toMatchObject({
      activated: false,
      reason: expect.stringContaining(`${inForce} came into force during the refit`),
    });
    expect(await currentId()).toBe(inForce);
  });
});

describe('challengers', () => {
  test('are what refits froze against the weights in force since they came into force, by the rule of today', async () => {
    const incumbentId = 'challenged';
    const evidence = { eValue: 1, events: 0 };
    const freeze = (id: string, change: Partial<NewRefit>) =>
      recordRefit(world.db, refit({ id, incumbentId, weights: weights(id), evidence, ...change }));
    await storeWeights(world.db, weights(incumbentId), noon);
    await freeze('frozen-before', { now: noon });
    await activateWeights(world.db, {
      weightsId: incumbentId,
      cause: 'operator',
      reason: 'test',
      now: later({ hours: 1 }),
    });
    await freeze('frozen-by-1.0.0', { evidence: null, now: later({ hours: 2 }) });
    await freeze('frozen-against-others', { incumbentId: firstWeights.id, now: later({ hours: 2 }) });
    await freeze('frozen-last', { cutOff: later({ hours: 3 }), now: later({ hours: 4 }) });
    await freeze('frozen-first', { cutOff: later({ hours: 3 }), now: later({ hours: 2 }) });
    expect(await readChallengers(world.db, incumbentId)).toEqual([
      { weights: weights('frozen-first'), frozenAt: later({ hours: 3 }).toISOString() },
      { weights: weights('frozen-last'), frozenAt: later({ hours: 4 }).toISOString() },
    ]);
  });
});

function refit(change: Partial<NewRefit>): NewRefit {
  const unchanged = { incumbentId: shippedWeights.id, weights: null, activate: false, evidence: null };
  return { id: 'refit', cutOff: noon, now: noon, reason: 'better', ...unchanged, ...change };
}
