import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { MarketEvent, Venue } from '../../council/event.js';
import { emptyKalshiIndex } from '../../markets/kalshi/kalshi-index.js';
import { createKalshiKept } from '../../markets/kalshi/kalshi-kept.js';
import { openVenue } from '../../markets/open-venue.js';
import type { PairedMarket, Pairs } from '../../markets/pairs.js';
import { createOtherVenueReader } from '../../markets/read-other-venue.js';
import { openGate } from '../../markets/request-budget.js';
import { startVenues } from '../../simulator/venues/start-venues.js';

let time = Date.parse('2031-03-01T14:02:11Z');
/** The simulated venue, whose limits are not what is tested here, gets no two requests at once. */
const venues = await startVenues({
  now: () => {
    time += 1_000;
    return time;
  },
});
afterAll(() => venues.close());

const readAt = '2031-03-01T14:02:00.000Z';
let failures: readonly (readonly [error: string, venue: Venue])[];
beforeEach(() => {
  venues.control.clearFaults();
  failures = [];
});

const settings = {
  MARKETS: ['polymarket', 'kalshi'],
  POLYMARKET_GAMMA_URL: venues.gammaUrl,
  POLYMARKET_DATA_URL: venues.dataUrl,
  POLYMARKET_CLOB_URL: venues.clobUrl,
  KALSHI_API_URL: venues.kalshiUrl,
} as const;
const source = (venue: Venue, timeoutMs = 2_000) =>
  openVenue(venue, settings, {
    gate: openGate,
    kalshiIndex: emptyKalshiIndex,
    kalshiKept: createKalshiKept(() => new Date(readAt)),
    timeoutMs,
  });

const [cut, cup, treaty] = await Promise.all(
  ['910001', '910002', '910003'].map(id => read('polymarket', id)),
);

async function read(venue: Venue, id: string): Promise<MarketEvent> {
  const event = await source(venue).get(id);
  if (event === null) throw new Error(`${venue} does not know ${id}`);
  return event;
}

function reader(
  pairs: readonly (readonly [event: MarketEvent | undefined, market: string, other: PairedMarket])[],
  {
    configured = settings.MARKETS,
    timeoutMs = 2_000,
  }: { configured?: readonly Venue[]; timeoutMs?: number } = {},
) {
  const known: Pairs = {
    count: pairs.length,
    other: (eventId, marketId) =>
      pairs.find(([event, market]) => event?.eventId === eventId && idOf(event, market) === marketId)?.[2] ??
      null,
  };
  return createOtherVenueReader({
    pairs: known,
    venues: new Map(configured.map(venue => [venue, source(venue, timeoutMs)])),
    now: () => new Date(readAt),
    timeoutMs,
    onFailure: (error, { venue }) => {
      failures = [...failures, [String(error), venue]];
    },
  });
}

const idOf = (event: MarketEvent, name: string) =>
  (event.markets.find(market => market.name === name) ?? event.markets[0])?.marketId;
const atKalshi = (event: string, market: string): PairedMarket => ({
  venue: 'kalshi',
  eventId: `kalshi:${event}`,
  marketId: `${event}-${market}`,
});
const ofCut = [cut, '', atKalshi('KXSIMCUT-31MAR', 'YES')] as const;

const known = (event: MarketEvent | undefined) => {
  if (event === undefined) throw new Error('it was not read');
  return event;
};

test('a known pair gives the price of the other venue, with its event, market, page and time', async () => {
  expect(await reader([ofCut])(known(cut))).toEqual([
    {
      outcome: 'Yes',
      venue: 'kalshi',
      event_id: 'kalshi:KXSIMCUT-31MAR',
      slug: 'KXSIMCUT-31MAR-YES',
      url: expect.stringMatching(/^https:/),
      yes_price: 0.42,
      read_at: readAt,
    },
  ]);
});

test('of an event of several markets, those with a pair are priced by name, and their event is read once', async () => {
  const before = venues.requests.length;
  const prices = await reader([
    [cup, 'South Africa', atKalshi('KXSIMCUP-31', 'RSA')],
    [cup, 'France', atKalshi('KXSIMCUP-31', 'FRA')],
  ])(known(cup));
  expect(prices?.map(({ outcome, slug, yes_price }) => [outcome, slug, yes_price])).toEqual([
    ['France', 'KXSIMCUP-31-FRA', 0.2],
    ['South Africa', 'KXSIMCUP-31-RSA', 0.31],
  ]);
  const events = venues.requests.slice(before).filter(({ path }) => path.includes('/events/'));
  expect(events).toHaveLength(1);
});

test('the pair works in both directions', async () => {
  const kalshi = await read('kalshi', 'kalshi:KXSIMCUT-31MAR');
  const toPolymarket = {
    venue: 'polymarket',
    eventId: '910001',
    marketId: idOf(known(cut), '') ?? '',
  } as const;
  const prices = await reader([[kalshi, '', toPolymarket]])(kalshi);
  expect(prices).toEqual([
    expect.objectContaining({ venue: 'polymarket', event_id: '910001', yes_price: 0.42 }),
  ]);
});

test('an event without a pair has no price, and no venue is asked', async () => {
  const before = venues.requests.length;
  expect(await reader([ofCut])(known(treaty))).toBeNull();
  expect(venues.requests).toHaveLength(before);
});

test('a venue that is not configured is not asked', async () => {
  const before = venues.requests.length;
  expect(await reader([ofCut], { configured: ['polymarket'] })(known(cut))).toBeNull();
  expect(venues.requests).toHaveLength(before);
  expect(failures).toEqual([]);
});

test.each(['throttle', 'garbage'] as const)('a venue that answers with %s gives no price', async fault => {
  venues.control.setFault('kalshi', fault, Number.POSITIVE_INFINITY);
  expect(await reader([ofCut])(known(cut))).toBeNull();
  expect(failures).toEqual([[expect.any(String), 'kalshi']]);
});

test.each([
  ['an event that the venue does not know', atKalshi('KXSIMGONE-31', 'YES')],
  ['a market that the event does not have', atKalshi('KXSIMCUT-31MAR', 'NO')],
  ['a market without a quote', atKalshi('KXSIMEMPTY-31', 'YES')],
])('%s has no price, and that is no failure', async (_, other) => {
  expect(await reader([[cut, '', other]])(known(cut))).toBeNull();
  expect(failures).toEqual([]);
});

test('a venue that hangs is left when the time is up, and the failure is reported', async () => {
  venues.control.setFault('kalshi', 'hang', Number.POSITIVE_INFINITY);
  const began = performance.now();
  expect(await reader([ofCut], { timeoutMs: 50 })(known(cut))).toBeNull();
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(failures).toEqual([[expect.any(String), 'kalshi']]);
});
