import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quotedCreditsMax } from '../../purchase/limits.js';
import {
  cachedCredits,
  honouredCredits,
  nextQuote,
  openingQuote,
  type WindowedQuote,
} from '../../purchase/quote.js';

const floor = 60;
const ceiling = 600;
const credits = fc.integer({ min: 0, max: quotedCreditsMax });
const costs = fc.oneof(
  fc.integer({ min: 0, max: 5_000_000 }),
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.constant(0),
);
const began = new Date('2031-03-05T12:00:00Z');
const minutesLater = (minutes: number) => new Date(began.getTime() + minutes * 60_000);
const quotes = fc
  .record({
    windowCredits: fc.integer({ min: floor, max: ceiling }),
    percent: fc.integer({ min: -3, max: 3 }),
    estimateUsdMicros: costs,
  })
  .map(({ windowCredits, percent, estimateUsdMicros }) => {
    const moved = windowCredits + Math.trunc((windowCredits * percent) / 100);
    const freshCredits = Math.min(ceiling, Math.max(floor, moved));
    return { freshCredits, estimateUsdMicros, windowBeganAt: began, windowCredits };
  });
const runs = fc
  .record({ costUsdMicros: costs, minutes: fc.integer({ min: -10, max: 500 }) })
  .map(({ costUsdMicros, minutes }) => ({ costUsdMicros, completedAt: minutesLater(minutes) }));

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
  test('moves by at most 5 %, in whole credits between the floor and the ceiling, and follows an estimate between the previous one and the cost', () => {
    fc.assert(
      fc.property(quotes, runs, (quote, run) => {
        const { freshCredits, estimateUsdMicros } = nextQuote(quote, run);
        const step = Math.abs(freshCredits - quote.freshCredits);
        expect(step).toBeLessThanOrEqual(Math.floor(quote.freshCredits / 20));
        expect([freshCredits, estimateUsdMicros].every(Number.isInteger)).toBe(true);
        expect(freshCredits).toBeGreaterThanOrEqual(floor);
        expect(freshCredits).toBeLessThanOrEqual(ceiling);
        const [low = 0, high = 0] = [quote.estimateUsdMicros, run.costUsdMicros].sort((a, b) => a - b);
        expect(estimateUsdMicros).toBeGreaterThanOrEqual(low);
        expect(estimateUsdMicros).toBeLessThanOrEqual(high);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['a run that costs what is expected leaves it', 400_000, 120],
    ['an expensive one raises it by 3 %', 50_000_000, 123],
    ['one that cost nothing lowers it by 3 %', 0, 117],
  ])('%s', (_, costUsdMicros, freshCredits) => {
    expect(nextQuote(null, { costUsdMicros, completedAt: began }).freshCredits).toBe(freshCredits);
  });

  test.each([
    ['the floor', 0, floor],
    ['the ceiling', 50_000_000, ceiling],
    ['three times the cost', 1_000_000, 300],
  ])('settles at %s while runs cost the same', (_, costUsdMicros, rest) => {
    let quote: WindowedQuote | null = null;
    for (let run = 0; run < 200; run++) {
      quote = nextQuote(quote, { costUsdMicros, completedAt: minutesLater(run * 60) });
    }
    expect(Math.abs((quote ?? openingQuote).freshCredits - rest)).toBeLessThanOrEqual(1);
  });
});

describe('prices in force within 60 minutes of each other', () => {
  const gapsMinutes = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0, 0.001, 1, 15, 29.5, 30, 45, 59.999, 60, 60.001) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 150, noNaN: true }) },
    ),
    { minLength: 2, maxLength: 100, size: 'max' },
  );
  /** Costs of any order, and the steepest: some runs for nothing, and then very expensive ones. */
  const costsOfRuns = fc.oneof(
    fc.array(fc.oneof(fc.constantFrom(0, 1_000_000_000), costs), { minLength: 100, maxLength: 100 }),
    fc.nat(20).map(free => Array.from({ length: 100 }, (_, run) => (run < free ? 0 : 1_000_000_000))),
  );
  const histories = fc.tuple(gapsMinutes, costsOfRuns).map(([gaps, runCosts]) => {
    let minutes = 0;
    return gaps.map((gap, run) => {
      minutes += gap;
      return { costUsdMicros: runCosts[run] ?? 0, completedAt: minutesLater(minutes) };
    });
  });

  test('differ by at most 10 % of the earlier one, whatever many runs cost', () => {
    fc.assert(
      fc.property(quotes, histories, (start, history) => {
        const prices = pricesOf(start, history);
        for (const [index, earlier] of prices.entries()) {
          for (const later of prices.slice(index + 1)) {
            if (later.from > earlier.until + 60 * 60_000) break;
            const gap = Math.abs(later.credits - earlier.credits);
            if (gap * 10 > earlier.credits) throw new Error(`${earlier.credits}, then ${later.credits}`);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('are honoured, so a quote lives for an hour at least', () => {
    fc.assert(
      fc.property(quotes, histories, (start, history) => {
        const [first, ...others] = pricesOf(start, history);
        const within = others.filter(({ from }) => from <= (first?.from ?? 0) + 60 * 60_000);
        for (const { credits: price } of within) {
          expect(honouredCredits(price, first?.credits ?? 0)).not.toBeNull();
        }
      }),
    );
  });

  test('still move when one run an hour completes: expensive ones double the price within 30 hours', () => {
    let quote: WindowedQuote | null = null;
    for (let hour = 0; hour < 30; hour++) {
      quote = nextQuote(quote, { costUsdMicros: 2_000_000, completedAt: minutesLater(hour * 60) });
    }
    expect((quote ?? openingQuote).freshCredits).toBeGreaterThanOrEqual(2 * openingQuote.freshCredits);
  });

  /** Each price, and the times from and until which it is in force. */
  function pricesOf(start: WindowedQuote, history: readonly { costUsdMicros: number; completedAt: Date }[]) {
    let quote = start;
    const moves = history.map(run => {
      quote = nextQuote(quote, run);
      return { credits: quote.freshCredits, from: run.completedAt.getTime() };
    });
    const prices = [{ credits: start.freshCredits, from: start.windowBeganAt.getTime() }, ...moves];
    return prices.map((price, index) => ({ ...price, until: prices[index + 1]?.from ?? price.from }));
  }
});
