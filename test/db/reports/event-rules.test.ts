import { describe, expect, test } from '@jest/globals';
import { resolveEvents } from '../../../activities/grading/resolve-events.js';
import type { MarketEvent } from '../../../council/event.js';
import { rulesOf } from '../../../council/market/rules.js';
import { rulesSha256 } from '../../../db/digests.js';
import { readLaterRules } from '../../../db/reports/event-rules.js';
import { saveEvent } from '../../../db/reports/events.js';
import { event, market } from '../../council/fixtures.js';
import { freezeMarket, sell } from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const ruled = (eventId: string, rules: string, overrides: Partial<MarketEvent> = {}) =>
  event([market({ name: 'Rain', rules })], { eventId, description: 'At noon.', ...overrides });
const save = (read: MarketEvent, hours = 0) => saveEvent(world.db, read, later({ hours }));
const kept = (eventId: string) =>
  world.sql(
    'select rules, rules_sha256, first_seen_at from event_rules where event_id = $1 order by first_seen_at',
    [eventId],
  );
const textsOf = async (eventId: string) => (await kept(eventId)).map(({ rules }) => rules[1][0][1]);

describe('the rules of an event', () => {
  test('are kept with their hash when they were first read, and no reading with the same rules adds a row', async () => {
    const read = ruled('steady', '"1 mm" 🌧 \ud83c \u0000');
    await save(read);
    await save({ ...read, title: 'Another title' }, 1);
    expect(await kept('steady')).toEqual([
      { rules: rulesOf(read), rules_sha256: rulesSha256(read), first_seen_at: noon },
    ]);
  });

  test('are kept again when they change, and when the change is taken back', async () => {
    for (const [hours, rules] of ['one', 'two', 'two', 'one'].entries())
      await save(ruled('moved', rules), hours);
    expect(await textsOf('moved')).toEqual(['one', 'two', 'one']);
  });

  test('that were read before a change and are saved after it are no change', async () => {
    await save(ruled('late', 'one'));
    await save(ruled('late', 'two'), 2);
    await save(ruled('late', 'one'), 1);
    expect(await textsOf('late')).toEqual(['one', 'two']);
  });

  test('have one row under twenty readings at once, with a slug or without', async () => {
    await inParallel(20, index => save(ruled('busy', 'one', { slug: index % 2 === 0 ? null : 'busy-rain' })));
    expect(await textsOf('busy')).toEqual(['one']);
  });

  test('cannot be changed, removed or stored beside another hash', async () => {
    await save(ruled('fixed', 'one'));
    const ofEvent = `where event_id = 'fixed'`;
    await expect(world.sql(`update event_rules set rules = '[]' ${ofEvent}`)).rejects.toThrow(
      'keeps its rows',
    );
    await expect(world.sql(`delete from event_rules ${ofEvent}`)).rejects.toThrow('keeps its rows');
    await expect(
      world.sql(`insert into event_rules values ('fixed', $1, '[]', now())`, ['a'.repeat(64)]),
    ).rejects.toThrow('check constraint');
  });
});

describe('a report', () => {
  async function sold(rules: string) {
    const eventId = await world.openEvent();
    const read = ruled(eventId, rules);
    await save(read);
    const { reportId } = await sell(world, { eventId });
    await freezeMarket(world.db, reportId, { event: read, queriedMarket: 'Rain', pricesAt: noon });
    return { eventId, reportId };
  }

  test('finds the rules that were read after its sale, the first ones first, and not those of before', async () => {
    const { eventId, reportId } = await sold('one');
    expect(await readLaterRules(world.db, reportId)).toEqual([]);
    await save(ruled(eventId, 'three'), 2);
    await save(ruled(eventId, 'two'), 1);
    const found = await readLaterRules(world.db, reportId);
    expect(found.map(({ seenAt }) => seenAt)).toEqual([later({ hours: 1 }), later({ hours: 2 })]);
    expect(found.map(({ rules }) => rules[1])).toEqual([[['id-Rain', 'two']], [['id-Rain', 'three']]]);
  });

  test.each(['open', 'closed'] as const)('finds the rules that its %s event was graded by', async status => {
    const { eventId, reportId } = await sold('one');
    const changed = ruled(eventId, 'two', { status, source: 'polymarket' });
    const readEnding = async () => ({ event: changed, words: {} });
    const venues = new Map([['polymarket', { readEnding }] as const]);
    const log = { warn: () => undefined, error: () => undefined };
    await resolveEvents({ db: world.db, venues, now: () => later({ hours: 3 }), log }, [eventId]);
    const found = await readLaterRules(world.db, reportId);
    expect(found).toEqual([{ seenAt: later({ hours: 3 }), rules: rulesOf(changed) }]);
  });
});
