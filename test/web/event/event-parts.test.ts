import { describe, expect, test } from '@jest/globals';
import { waitText } from '../../../contract/callers/wait-text.js';
import type { EventMarketView, EventView } from '../../../contract/events.js';
import type { KeyVendor } from '../../../contract/product.js';
import type { CheckView } from '../../../contract/purchase.js';
import { byPrice, eventKindText, marketName, marketStatusText } from '../../../web/event/format-markets.js';
import {
  buttonText,
  missingCredits,
  missingSetupText,
  priceOf,
} from '../../../web/event/purchase/format-offer.js';
import { missingSetup } from '../../../web/event/purchase/use-offers.js';
import { idempotencyKeys } from '../../../web/shared/idempotency-keys.js';
import { eventExample } from '../../support/expect/examples.js';

const check: CheckView = {
  has_cached_report: false,
  already_purchased: false,
  cost_credits: 120,
  lane: 'credits',
  pool: 'purchased',
  pricing: { fresh_credits: 120, cached_credits: 60, byok_credits: 50 },
  record_head: null,
};

describe('the label of the purchase button', () => {
  const subscribed = { lane: 'subscription', pool: null, cost_credits: 0 } as const;
  test.each<[Partial<CheckView>, string]>([
    [{}, 'Run a report · 120 credits'],
    [{ pool: 'weekly_grant' }, 'Run a report · 120 credits of your weekly grant'],
    [{ has_cached_report: true, cost_credits: 60 }, 'Get the report · 60 credits'],
    [{ ...subscribed, price_usd_cents: 300 }, 'Run a report · $3.00'],
    [{ ...subscribed, price_usd_cents: 150, has_cached_report: true }, 'Get the report · $1.50'],
    [{ lane: 'byok', cost_credits: 50 }, 'Run a report · 50 credits'],
  ])('states the action and its price: %j', (offer, text) => {
    expect(buttonText({ ...check, ...offer })).toBe(text);
  });

  test('uses the singular for 1 credit', () => {
    expect(priceOf({ ...check, cost_credits: 1 })).toBe('1 credit');
  });
});

describe('what is missing for a purchase', () => {
  test('compares the price with purchased credits only', () => {
    expect(missingCredits(check, 119)).toBe(1);
    expect(missingCredits(check, 120)).toBe(0);
    expect(missingCredits({ ...check, pool: 'weekly_grant' }, 0)).toBe(0);
    expect(missingCredits({ ...check, pool: null }, 0)).toBe(0);
  });

  test('names the vendors', () => {
    expect(missingSetupText('byok', ['xai', 'openai'])).toBe(
      'Missing: OpenAI, xAI. One OpenRouter key works for all.',
    );
    expect(missingSetupText('subscription', ['subscription'])).toBe('You have no subscription.');
  });
});

test('a lane is set up by a subscription that pays, or by keys for all members', () => {
  const missing = (status: string | null, ...held: KeyVendor[]) =>
    missingSetup(
      { status },
      held.map(provider => ({ provider })),
    );
  expect(missing(null)).toEqual({
    credits: [],
    subscription: ['subscription'],
    byok: ['openai', 'anthropic', 'google', 'xai'],
  });
  expect(missing('active', 'openrouter')).toEqual({ credits: [], subscription: [], byok: [] });
  expect(missing('past_due', 'openai', 'xai').byok).toEqual(['anthropic', 'google']);
  expect([missing('past_due'), missing('canceled')].map(({ subscription }) => subscription.length)).toEqual([
    1, 1,
  ]);
  expect(missing('trialing').subscription).toEqual([]);
});

test('a waiting time is given in seconds below one minute, then in minutes, then in hours, rounded up', () => {
  expect([1, 59, 60, 61, 3_488, 3_599, 7_201].map(waitText)).toEqual([
    'in 1 second',
    'in 59 seconds',
    'in 1 minute',
    'in 2 minutes',
    'in 59 minutes',
    'in 60 minutes',
    'in 3 hours',
  ]);
});

describe('the idempotency key', () => {
  test('stays the same for an equal request until it is answered, and differs for another request', () => {
    let made = 0;
    const keys = idempotencyKeys(() => `key ${++made}`);
    const request = { event_id: 'e', quoted_credits: 120 };
    expect([keys.keyFor(request), keys.keyFor({ ...request })]).toEqual(['key 1', 'key 1']);
    expect(keys.keyFor({ ...request, quoted_credits: 130 })).toBe('key 2');
    keys.clear();
    expect(keys.keyFor({ ...request, quoted_credits: 130 })).toBe('key 3');
  });
});

describe('the text about an event', () => {
  const [first] = eventExample.markets;
  if (first === undefined) throw new Error('the example has a market');
  const market: EventMarketView = { ...first, market: 'Draw', outcomes: ['Yes', 'No'], status: 'open' };
  const event = (markets: readonly EventMarketView[], exclusive: boolean): EventView => ({
    ...eventExample,
    status: 'open',
    exclusive,
    markets,
  });

  test('says what its prices add up to', () => {
    expect(eventKindText(event([market], true))).toContain('two answers, Yes or No');
    expect(eventKindText(event([market, market], true))).toContain('only one of these 2 outcomes can win');
    expect(eventKindText(event([market, market], false))).toContain('2 separate questions');
  });

  test('names a market by its sides if these are names', () => {
    expect(marketName(market)).toBe('Draw');
    expect(marketName({ ...market, outcomes: ['Home', 'Away'] })).toBe('Home (or Away)');
  });

  test('states the status of a market', () => {
    expect(marketStatusText(market)).toBe('open');
    const closed = { ...market, status: 'closed' } as const;
    expect(marketStatusText({ ...closed, resolution: 'no' })).toBe('resolved: No');
    expect(marketStatusText({ ...closed, resolution: 'void' })).toBe('closed, void');
    expect(marketStatusText(closed)).toBe('closed, not resolved yet');
  });

  test('sorts markets by price, and those without a price last, by volume', () => {
    const sorted = byPrice(
      [
        { slug: 'c', yes_price: null, volume: 1 },
        { slug: 'b', yes_price: 0.2, volume: 9 },
        { slug: 'd', yes_price: null, volume: 5 },
        { slug: 'a', yes_price: 0.9, volume: 1 },
      ].map(each => ({ ...market, ...each })),
    );
    expect(sorted.map(({ slug }) => slug)).toEqual(['a', 'b', 'd', 'c']);
  });
});
