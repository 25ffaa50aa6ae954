import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quotedCreditsMax } from '../../../council/limits.js';
import { cachedCredits, honouredCredits, nextQuote, openingQuote } from '../../../council/purchase/quote.js';

const floor = 60;
const ceiling = 600;
const credits = fc.integer({ min: 0, max: quotedCreditsMax });
const costs = fc.oneof(
  fc.integer({ min: 0, max: 5_000_000 }),
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.constant(0),
);
const quotes = fc.record({
  freshCredits: fc.integer({ min: floor, max: ceiling }),
  estimateUsdMicros: costs,
});

describe('a quote is honoured', () => {
  test.each([
    // current, quoted, charged
    [115, 100, 100],
    [116, 100, null],
    [85, 100, 85],
    [84, 100, null],
    [100, 100, 100],
    [23, 20, 20],
    [24, 20, null],
    [17, 20, 17],
    [16, 20, null],
    [7, 6, null],
    [6, 6, 6],
    [0, 0, 0],
    [1, 0, null],
    [0, 1, null],
  ])('at a price of %i after a quote of %i: %p', (current, quoted, charged) => {
    expect(honouredCredits(current, quoted)).toBe(charged);
  });

  test('at the current price without a quote', () => {
    fc.assert(fc.property(credits, current => honouredCredits(current, null) === current));
  });

  test('up to exactly 15 % in both directions', () => {
    fc.assert(
      fc.property(credits, quoted => {
        const gap = Math.floor((quoted * 15) / 100);
        expect(honouredCredits(quoted + gap, quoted)).toBe(quoted);
        expect(honouredCredits(quoted + gap + 1, quoted)).toBeNull();
        expect(honouredCredits(quoted - gap, quoted)).toBe(quoted - gap);
        expect(honouredCredits(quoted - gap - 1, quoted)).toBeNull();
      }),
    );
  });

  test('at the lower of quote and price', () => {
    const near = fc.tuple(credits, fc.integer({ min: -200, max: 200 }));
    fc.assert(
      fc.property(near, ([quoted, permille]) => {
        const current = Math.round(quoted * (1 + permille / 1_000));
        const charged = honouredCredits(current, quoted);
        const honoured = 100 * Math.abs(current - quoted) <= 15 * quoted;
        expect(charged).toBe(honoured ? Math.min(current, quoted) : null);
      }),
    );
  });
});

describe('a cached report costs half', () => {
  test.each([
    [120, 60],
    [121, 61],
    [1, 1],
    [0, 0],
  ])('%i fresh, %i cached', (fresh, cached) => {
    expect(cachedCredits(fresh)).toBe(cached);
  });

  test('rounded up to a whole credit', () => {
    fc.assert(
      fc.property(credits, fresh => {
        const twice = 2 * cachedCredits(fresh);
        expect(twice - fresh).toBe(fresh % 2);
      }),
    );
  });
});

describe('the price after one more run', () => {
  test('moves by at most 5 %, or by one credit', () => {
    fc.assert(
      fc.property(quotes, costs, (quote, cost) => {
        const stepMax = Math.max(1, Math.floor(quote.freshCredits / 20));
        const step = nextQuote(quote, cost).freshCredits - quote.freshCredits;
        expect(Math.abs(step)).toBeLessThanOrEqual(stepMax);
      }),
    );
  });

  test('is a whole number of credits between the floor and the ceiling', () => {
    fc.assert(
      fc.property(quotes, costs, (quote, cost) => {
        const { freshCredits } = nextQuote(quote, cost);
        expect(Number.isInteger(freshCredits)).toBe(true);
        expect(freshCredits).toBeGreaterThanOrEqual(floor);
        expect(freshCredits).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  test('follows an estimate between the previous one and the cost of the run', () => {
    fc.assert(
      fc.property(quotes, costs, (quote, cost) => {
        const { estimateUsdMicros } = nextQuote(quote, cost);
        expect(Number.isInteger(estimateUsdMicros)).toBe(true);
        expect(estimateUsdMicros).toBeGreaterThanOrEqual(Math.min(quote.estimateUsdMicros, cost));
        expect(estimateUsdMicros).toBeLessThanOrEqual(Math.max(quote.estimateUsdMicros, cost));
      }),
    );
  });

  test('never expires a new quote, however expensive the run', () => {
    fc.assert(
      fc.property(quotes, costs, (quote, cost) => {
        const { freshCredits } = nextQuote(quote, cost);
        expect(honouredCredits(freshCredits, quote.freshCredits)).not.toBeNull();
      }),
    );
  });

  test.each([
    ['a run that costs what is expected leaves it', 400_000, 120],
    ['a expensive one raises it by one step', 50_000_000, 126],
    ['one that cost nothing lowers it by one step', 0, 114],
  ])('%s', (_, cost, freshCredits) => {
    expect(nextQuote(openingQuote, cost).freshCredits).toBe(freshCredits);
  });

  test.each([
    ['the floor', 0, floor],
    ['the ceiling', 50_000_000, ceiling],
    ['three times the cost', 1_000_000, 300],
  ])('settles at %s while runs cost the same', (_, cost, rest) => {
    let quote = openingQuote;
    for (let run = 0; run < 200; run++) quote = nextQuote(quote, cost);
    expect(Math.abs(quote.freshCredits - rest)).toBeLessThanOrEqual(1);
  });
});
