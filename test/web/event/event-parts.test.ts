import { describe, expect, test } from '@jest/globals';
import type { EventMarketView, EventView } from '../../../contract/events.js';
import type { CheckView } from '../../../contract/purchase.js';
import { byPrice, kindOfEvent, marketState, nameOfMarket } from '../../../web/event/format-markets.js';
import { buttonText, gapOf, priceOf, shortOf, waitText } from '../../../web/event/purchase/format-offer.js';
import { idempotencyKeys } from '../../../web/event/purchase/use-run.js';

const check: CheckView = {
  has_cached_report: false,
  already_purchased: false,
  cost_credits: 120,
  lane: 'credits',
  pool: 'purchased',
  pricing: { fresh_credits: 120, cached_credits: 60, byok_credits: 50 },
};

describe('what the button says', () => {
  test.each([
    [check, 'Run the council · 120 credits'],
    [{ ...check, pool: 'weekly_grant' as const }, 'Run the council · 120 credits of your weekly grant'],
    [{ ...check, has_cached_report: true, cost_credits: 60 }, 'Get the report · 60 credits'],
    [{ ...check, lane: 'subscription' as const, pool: null, cost_credits: 0 }, 'Run the council · $3.00'],
    [
      {
        ...check,
        lane: 'subscription' as const,
        pool: null,
        cost_credits: 0,
        has_cached_report: true,
      },
      'Get the report · $1.50',
    ],
    [{ ...check, lane: 'byok' as const, cost_credits: 50 }, 'Run the council · 50 credits'],
  ])('is what is done and what it costs', (offer, text) => {
    expect(buttonText(offer)).toBe(text);
  });

  test('is a credit and not credits where it is one', () => {
    expect(priceOf({ ...check, cost_credits: 1 })).toBe('1 credit');
  });
});

describe('what is missing', () => {
  test('is counted against purchased credits only', () => {
    expect(shortOf(check, 119)).toBe(1);
    expect(shortOf(check, 120)).toBe(0);
    expect(shortOf({ ...check, pool: 'weekly_grant' }, 0)).toBe(0);
    expect(shortOf({ ...check, pool: null }, 0)).toBe(0);
  });

  test('is named by what the vendors are called', () => {
    expect(gapOf('byok', ['xai', 'openai'])).toBe(
      'Missing: OpenAI, xAI. One key of OpenRouter does for all.',
    );
    expect(gapOf('subscription', ['subscription'])).toBe('You have no subscription.');
  });
});

test('how long to wait is said in seconds below a minute, and rounded up above', () => {
  expect([1, 59, 60, 61, 3_599].map(waitText)).toEqual([
    'in 1 second',
    'in 59 seconds',
    'in 1 minute',
    'in 2 minutes',
    'in 60 minutes',
  ]);
});

describe('the key of a wish', () => {
  test('is the same for as long as the same wish is not answered, and another for another', () => {
    let made = 0;
    const keys = idempotencyKeys(() => `key ${++made}`);
    const wish = { event_id: 'e', quoted_credits: 120 };
    expect([keys.of(wish), keys.of({ ...wish })]).toEqual(['key 1', 'key 1']);
    expect(keys.of({ ...wish, quoted_credits: 130 })).toBe('key 2');
    keys.forget();
    expect(keys.of({ ...wish, quoted_credits: 130 })).toBe('key 3');
  });
});

describe('an event in words', () => {
  const market: EventMarketView = {
    market: 'Draw',
    slug: 'draw',
    outcomes: ['Yes', 'No'],
    yes_price: 0.3,
    best_bid: 0.29,
    best_ask: 0.31,
    volume: 10,
    status: 'open',
    resolution: 'unresolved',
  };
  const event = (markets: readonly EventMarketView[], exclusive: boolean): EventView => ({
    event_id: 'e',
    title: 'E',
    description: '',
    category: null,
    closes_at: null,
    status: 'open',
    exclusive,
    volume: 1,
    url: null,
    markets,
  });

  test('says what its prices add up to', () => {
    expect(kindOfEvent(event([market], true))).toContain('two answers, Yes or No');
    expect(kindOfEvent(event([market, market], true))).toContain('exactly one of these 2 outcomes wins');
    expect(kindOfEvent(event([market, market], false))).toContain('2 questions of their own');
  });

  test('calls a market by its sides where these are names', () => {
    expect(nameOfMarket(market)).toBe('Draw');
    expect(nameOfMarket({ ...market, outcomes: ['Home', 'Away'] })).toBe('Home (or Away)');
  });

  test('says how each market stands', () => {
    expect(marketState(market)).toBe('open');
    const closed = { ...market, status: 'closed' } as const;
    expect(marketState({ ...closed, resolution: 'no' })).toBe('decided: No');
    expect(marketState({ ...closed, resolution: 'void' })).toBe('closed, void');
    expect(marketState(closed)).toBe('closed, not decided yet');
  });

  test('has the dearest market first, and those without a price last, by volume', () => {
    const named = (slug: string, price: number | null, volume: number) => ({
      ...market,
      slug,
      yes_price: price,
      volume,
    });
    const sorted = byPrice([
      named('c', null, 1),
      named('b', 0.2, 9),
      named('d', null, 5),
      named('a', 0.9, 1),
    ]);
    expect(sorted.map(({ slug }) => slug)).toEqual(['a', 'b', 'd', 'c']);
  });
});
