import { describe, expect, test } from '@jest/globals';
import { kalshiEventSchema, kalshiMarketSchema } from '../../../markets/kalshi/kalshi-schema.js';
import { gammaEventSchema, gammaMarketSchema } from '../../../markets/polymarket/gamma-schema.js';
import { resolutionRowSchema } from '../../../markets/polymarket/read-oracle-words.js';
import { compareFields, knownFields } from '../../../markets/probe/compare-fields.js';
import { gammaEvent, gammaMarket } from '../polymarket/gamma-fixtures.js';
import { complete } from './complete.js';

const { polymarket, kalshi } = knownFields;

describe('an answer that is compared with the known fields', () => {
  test('has no changes if the venue sends what it sent before', () => {
    expect(compareFields('polymarket', 'event', { ...complete(polymarket.event), ...gammaEvent() })).toEqual(
      [],
    );
    expect(
      compareFields('polymarket', 'market', { ...complete(polymarket.market), ...gammaMarket() }),
    ).toEqual([]);
  });

  test('names a field that was added, one that left, and one of another type, without their values', () => {
    const { id: _id, ...rest } = complete(polymarket.event);
    const changes = compareFields('polymarket', 'event', { ...rest, closed: 'yes', ends: 'secret' });
    expect(changes).toEqual([
      { kind: 'missing', field: 'id', expected: 'string', found: null },
      { kind: 'type', field: 'closed', expected: 'boolean', found: 'string' },
      { kind: 'unknown', field: 'ends', expected: null, found: 'string' },
    ]);
    expect(JSON.stringify(changes)).not.toContain('secret');
  });

  test('may lack an optional field, and have it as null, and not a required one', () => {
    const event = complete(polymarket.event);
    expect(compareFields('polymarket', 'event', { ...event, category: null })).toEqual([]);
    expect(compareFields('polymarket', 'event', { ...event, closed: null })).toEqual([
      { kind: 'missing', field: 'closed', expected: 'boolean', found: 'null' },
    ]);
  });
});

test('a dollar amount of Kalshi that becomes a number is a change', () => {
  const market = complete(kalshi.market);
  expect(compareFields('kalshi', 'market', market)).toEqual([]);
  expect(compareFields('kalshi', 'market', { ...market, yes_bid_dollars: 0.56 })).toEqual([
    { kind: 'type', field: 'yes_bid_dollars', expected: 'string', found: 'number' },
  ]);
});

test('every field that is parsed is among those that are compared', () => {
  const { event, market, resolution } = polymarket;
  expect(Object.keys(event.used).sort()).toEqual(Object.keys(gammaEventSchema.shape).sort());
  expect(Object.keys(market.used).sort()).toEqual(Object.keys(gammaMarketSchema.shape).sort());
  expect(Object.keys(resolution.used).sort()).toEqual(Object.keys(resolutionRowSchema.shape).sort());
  expect(Object.keys(kalshi.event.used)).toEqual(
    expect.arrayContaining(Object.keys(kalshiEventSchema.shape)),
  );
  expect(Object.keys(kalshi.market.used)).toEqual(
    expect.arrayContaining(Object.keys(kalshiMarketSchema.shape)),
  );
});
