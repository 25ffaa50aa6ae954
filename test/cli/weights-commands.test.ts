import { expect, test } from '@jest/globals';
import { firstWeights } from '../../council/estimate/first-weights.js';
import { weightsSha256 } from '../../db/digests.js';
import { recordRefit } from '../../db/estimate/refits.js';
import { readCurrentWeights, storeWeights } from '../../db/estimate/weights.js';
import { noon, useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';

const world = useTestWorld();
const weights = (...args: string[]) => council(['weights', ...args], { DATABASE_URL: world.url });
const first = firstWeights.id;

test('weights are listed with their refits, shown with their hash, and put in force', async () => {
  const refitted = { ...firstWeights, id: 'refit-2031-03-02' };
  await recordRefit(world.db, {
    id: refitted.id,
    cutOff: noon,
    incumbentId: first,
    weights: refitted,
    activate: false,
    reason: 'not better',
    now: noon,
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
      cut_off: noon.toISOString(),
      incumbent: first,
      weights: refitted.id,
      activated: false,
      reason: 'not better',
    },
  ]);
  const shown = JSON.parse((await weights('show', refitted.id)).out);
  expect(shown).toEqual({ ...refitted, sha256: weightsSha256(refitted), refit: listed.refits[0] });

  const activate = (id: string) => weights('activate', id, '--reason', 'looked at it', '--json');
  expect(JSON.parse((await activate(refitted.id)).out)).toEqual({ id: refitted.id, activated: true });
  expect((await readCurrentWeights(world.db)).weights).toEqual(refitted);
  expect(JSON.parse((await activate(refitted.id)).out)).toEqual({ id: refitted.id, activated: false });
});

test('evaluate finds stored weights by their id', async () => {
  await storeWeights(world.db, { ...firstWeights, id: 'stored' }, noon);
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
