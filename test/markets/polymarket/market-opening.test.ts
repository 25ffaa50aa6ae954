import { expect, test } from '@jest/globals';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

const read = (raw: unknown) => parseGammaEvent(raw);

test.each<[string, market: Record<string, unknown>, openedAt: string | undefined]>([
  ['its start', { startDate: '2031-02-03T05:03:03.858209Z' }, '2031-02-03T05:03:03.858Z'],
  [
    'the first order, where it says a later start',
    { startDate: '2031-02-03T05:03:03Z', acceptingOrdersTimestamp: '2031-02-03T05:01:58Z' },
    '2031-02-03T05:01:58.000Z',
  ],
  [
    'its start, where the time of the first orders is that of a move to another exchange',
    { startDate: '2030-02-03T05:03:03Z', acceptingOrdersTimestamp: '2031-02-03T05:01:58Z' },
    '2030-02-03T05:03:03.000Z',
  ],
  [
    'its creation, where its start is a date before it',
    { startDate: '2020-01-01T00:00:00Z', createdAt: '2031-02-03T05:00:22.689221Z' },
    '2031-02-03T05:00:22.689Z',
  ],
  ['no time at all, if only its creation is known', { createdAt: '2031-02-03T05:00:22Z' }, undefined],
  ['no time at all, if that lies after its end', { startDate: '2031-03-02T00:00:00Z' }, undefined],
  ['no time at all, if the start is no time', { startDate: 'soon' }, undefined],
])('a market has opened at %s', (_, dates, openedAt) => {
  const event = read(gammaEvent({ markets: [gammaMarket({ endDate: '2031-03-01T12:00:00Z', ...dates })] }));
  expect([event?.markets[0]?.openedAt, event?.openedAt]).toEqual([openedAt, openedAt]);
});

test('an event has opened with the first of its markets that has a name, and never when its game begins', () => {
  const game = { creationDate: '2031-02-09T13:30:00Z', startTime: '2031-02-09T13:30:00Z' };
  const opened = (id: string, startDate: string, more = {}) =>
    gammaMarket({ id, groupItemTitle: id, startDate, gameStartTime: '2031-02-09 13:30:00+00', ...more });
  const markets = [
    opened('Ada', '2031-02-03T05:05:00Z'),
    opened('Bela', '2031-02-03T05:03:00Z'),
    opened('Person X', '2031-02-01T00:00:00Z', { active: false }),
  ];
  const startDate = '2031-02-03T05:09:00Z';
  expect(read(gammaEvent({ ...game, startDate, markets }))?.openedAt).toBe('2031-02-03T05:03:00.000Z');
  expect(read(gammaEvent({ ...game, startDate }))?.openedAt).toBe('2031-02-03T05:09:00.000Z');
  expect(read(gammaEvent(game))).not.toHaveProperty('openedAt');
});
