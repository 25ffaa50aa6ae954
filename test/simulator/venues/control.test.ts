import { beforeEach, describe, expect, test } from '@jest/globals';
import { MarketUnavailable, MarketUnreadable } from '../../../markets/event-source.js';
import { controlExample } from '../../../simulator/venues/handle-control.js';
import { eventQuery } from '../../markets/event-query.js';
import { giveUpAfterMs, until } from '../../support/until.js';
import { useControlledVenues } from './controlled-venues.js';

const { venues, post, act, move, overview, pass, sources } = await useControlledVenues();
const { kalshi, polymarket } = sources(5_000);

beforeEach(() => act({ act: 'clear_faults' }));

describe('over HTTP', () => {
  const cut = 'KXSIMCUT-31MAR-YES';
  const wordOfCut = async () => (await kalshi.readEnding('kalshi:KXSIMCUT-31MAR', [cut]))?.words[cut];

  test.each([
    [{ status: 'closed' }, 'unresolved'],
    [{ status: 'determined', result: 'yes', value: '1.0000' }, 'unresolved'],
    [{ status: 'disputed', result: 'yes', value: '1.0000' }, 'disputed'],
    [{ status: 'amended', result: 'no', value: '0.0000' }, 'unresolved'],
    [{ status: 'finalized', result: 'no', value: '0.0000' }, 'no'],
    [{ status: 'finalized', result: 'scalar', value: '0.5000' }, 'fifty_fifty'],
    [{ status: 'finalized', result: 'scalar', value: '0.2400' }, 'void'],
    [{ status: 'active' }, 'unresolved'],
  ])('a market of Kalshi goes to %j, which our adapter reads as %s', async (step, resolution) => {
    await move('kalshi', cut, step);
    expect(await wordOfCut()).toMatchObject({ status: step.status, resolution });
    expect((await overview()).kalshi).toContainEqual(
      expect.objectContaining({ market: cut, status: step.status }),
    );
  });

  test.each([
    [{ status: 'proposed', price: 1 }, 'unresolved'],
    [{ status: 'disputed', price: 1 }, 'disputed'],
    [{ status: 'reproposed', price: 0 }, 'unresolved'],
    [{ status: 'resolved', price: 0 }, 'no'],
    [{ status: 'resolved', price: 0.5 }, 'fifty_fifty'],
    [{ status: 'initialized', price: null }, 'unresolved'],
  ])('a market of Polymarket goes to %j, which our adapter reads as %s', async (step, resolution) => {
    await move('polymarket', '910301', step);
    const ending = await polymarket.readEnding('910003');
    expect(ending?.words['910301']).toMatchObject({ status: step.status, resolution });
    expect((await overview()).polymarket).toContainEqual(
      expect.objectContaining({ market: '910301', status: step.status }),
    );
  });

  test.each([
    ['kalshi', 'kalshi:KXSIMFLAT-31', 'KXSIMFLAT-31-YES'],
    ['polymarket', '910001', '910101'],
  ] as const)('the rules of a market of %s change', async (venue, eventId, market) => {
    await act({ act: 'change_rules', venue, market, rules: 'Simulated rules of another day.' });
    const event = await { kalshi, polymarket }[venue].get(eventId);
    expect(event?.markets[0]?.rules).toBe('Simulated rules of another day.');
  });

  test("a market moves to Kalshi's history, where our adapter finds it", async () => {
    const market = 'KXSIMEMPTY-31-YES';
    await act({ act: 'archive', venue: 'kalshi', market });
    expect(await kalshi.get('kalshi:KXSIMEMPTY-31')).toBeNull();
    const ending = await kalshi.readEnding('kalshi:KXSIMEMPTY-31', [market]);
    expect(ending?.event.markets.map(({ marketId }) => marketId)).toEqual([market]);
    expect((await overview()).kalshi).toContainEqual(expect.objectContaining({ market }));
  });

  test('a fault lasts as long as was said, and the example that is printed is one', async () => {
    await act({ act: 'set_fault', venue: 'kalshi', fault: 'throttle', for_ms: 60_000 });
    expect((await overview()).faults).toEqual({ kalshi: 'throttle', polymarket: null });
    pass(60_000);
    expect((await overview()).faults).toEqual({ kalshi: null, polymarket: null });
    await act(controlExample);
  });
});

describe('what cannot be done is refused with its reason:', () => {
  const yes = { result: 'yes', value: '1.0000' };
  test.each([
    ['an unknown act', { act: 'explode' }, 400, 'act'],
    ['an unknown venue', { act: 'set_fault', venue: 'sample', fault: 'hang' }, 400, 'venue'],
    ['an unknown fault', { act: 'set_fault', venue: 'kalshi', fault: 'sulk' }, 400, 'fault'],
    ['a field that is not known', { act: 'clear_faults', venue: 'kalshi' }, 400, 'venue'],
    ['a fault of no time', { act: 'set_fault', venue: 'kalshi', fault: 'hang', for_ms: 0 }, 400, 'for_ms'],
    [
      'a result without its value',
      moveOf('kalshi', { status: 'finalized', result: 'yes' }),
      400,
      'step.value',
    ],
    [
      'a value above a dollar',
      moveOf('kalshi', { status: 'finalized', ...yes, value: '1.2' }),
      400,
      'step.value',
    ],
    ["the other venue's step", moveOf('kalshi', { status: 'resolved', price: 1 }), 400, 'step.status'],
    [
      'a price that no oracle gives',
      moveOf('polymarket', { status: 'resolved', price: 0.3 }),
      400,
      'step.price',
    ],
    ["Polymarket's history", { act: 'archive', venue: 'polymarket', market: '910101' }, 400, 'venue'],
    ['an unknown market of Kalshi', moveOf('kalshi', { status: 'closed' }), 404, 'no market NONE'],
    [
      'an unknown market of Polymarket',
      moveOf('polymarket', { status: 'posed', price: null }),
      404,
      'no market NONE',
    ],
  ])('%s', async (_, action, status, reason) => {
    const before = await overview();
    expect(await post(action)).toEqual({ status, body: { problem: expect.stringContaining(reason) } });
    expect(await overview()).toEqual(before);
  });

  test('a body that is not JSON, and another method', async () => {
    const answer = await fetch(venues.controlUrl, { method: 'POST', body: 'hang' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { problem: expect.stringContaining('not JSON') },
    ]);
    const other = await fetch(venues.controlUrl, { method: 'DELETE' });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  function moveOf(venue: string, step: object) {
    return { act: 'move', venue, market: 'NONE', step };
  }
});

describe.each([
  ['kalshi', 'kalshi:KXSIMCUP-31', 'KXSIMCUP-31-RSA'],
  ['polymarket', '910002', '910201'],
] as const)('our adapter of %s', (venue, eventId, marketId) => {
  const span = { eventId, marketId, from: '2026-11-20T00:00:00Z', to: '2026-11-20T02:00:00Z' };
  const reads = (source = sources(giveUpAfterMs)[venue]) => [
    () => source.search(eventQuery()),
    () => source.search(eventQuery({ search: 'rugby' })),
    () => source.get(eventId),
    () => source.readEnding(eventId, [marketId]),
    () => source.readPrices(span),
  ];
  const errorsOf = async (all = reads()) => {
    const errors: unknown[] = [];
    // One after the other, as Kalshi demands.
    for (const read of all)
      errors.push(
        await read().then(
          () => null,
          (error: unknown) => error,
        ),
      );
    return errors;
  };

  test('reads garbage as unreadable, and works again afterwards', async () => {
    await act({ act: 'set_fault', venue, fault: 'garbage' });
    for (const error of await errorsOf()) expect(error).toBeInstanceOf(MarketUnreadable);
    await act({ act: 'clear_faults' });
    expect(await errorsOf()).toEqual(reads().map(() => null));
  });

  test('reads a 429 as unavailable with a time to wait, and works again afterwards', async () => {
    await act({ act: 'set_fault', venue, fault: 'throttle' });
    for (const error of await errorsOf()) {
      expect(error).toBeInstanceOf(MarketUnavailable);
      expect(error).not.toBeInstanceOf(MarketUnreadable);
    }
    const [error] = await errorsOf();
    expect(error).toMatchObject({ retryAfterSeconds: venue === 'kalshi' ? 2 : 10 });
    await act({ act: 'clear_faults' });
    expect(await errorsOf()).toEqual(reads().map(() => null));
  });

  test('gives up on a venue that hangs, as unavailable, and works again afterwards', async () => {
    await act({ act: 'set_fault', venue, fault: 'hang' });
    const [error] = await errorsOf(reads().slice(2, 3));
    expect(error).toBeInstanceOf(MarketUnavailable);
    expect(error).not.toBeInstanceOf(MarketUnreadable);
    expect(String(error)).toContain(`did not answer within ${giveUpAfterMs} ms`);
    await act({ act: 'clear_faults' });
    await until('the venue has seen the end of each request', () =>
      venues.requests.every(({ endedAt }) => endedAt !== null),
    );
    expect(await errorsOf()).toEqual(reads().map(() => null));
  });
});
