import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { MarketEvent } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import { eventQuery } from '../event-query.js';

const folder = fileURLToPath(new URL('../../../../shared/data/polymarket', import.meta.url));
const present = existsSync(folder);

(present ? describe : describe.skip)(
  `captured answers of Gamma${present ? '' : ' (skipped: ../shared/data/polymarket is not here)'}`,
  () => {
    test('a football match is exclusive with three outcomes, quotes and fees', () => {
      const event = read('event.fifwc-rsa-can-2026-06-28');
      expect(event).toMatchObject({
        eventId: '632707',
        status: 'open',
        exclusive: true,
        category: 'Sports',
        closesAt: '2026-06-28T19:00:00.000Z',
        url: 'https://polymarket.com/event/fifwc-rsa-can-2026-06-28',
      });
      expect(outcomeSet(event).hasAnyOther).toBe(false);
      expect(event.resolutionSource).toMatch(/^https:\/\/www\.fifa\.com\//);
      expect(event.markets.map(market => [market.name, market.bestBid, market.bestAsk])).toEqual([
        ['Canada', 0.55, 0.56],
        ['South Africa', 0.16, 0.17],
        ['Draw (South Africa vs. Canada)', 0.27, 0.28],
      ]);
      for (const market of event.markets) {
        expect(market).toMatchObject({
          takerFee: { rate: 0.03, exponent: 1 },
          resolution: 'unresolved',
          placeholder: false,
        });
      }
    });

    test('nations that reach the quarter-finals are not exclusive, and some are already out', () => {
      const event = read('event.world-cup-nation-to-reach-quarterfinals');
      expect(event).toMatchObject({ status: 'open', exclusive: false, closesAt: null });
      const closed = event.markets.filter(market => market.status === 'closed');
      expect(closed.map(market => market.name)).toEqual(['Iraq', 'Uzbekistan', 'South Korea', 'Uruguay']);
      for (const market of closed) expect(market).toMatchObject({ resolution: 'no', lastTrade: null });
      expect(event.markets.filter(market => market.status === 'open')).toHaveLength(11);
      expect(outcomeSet(event)).toMatchObject({ hasAnyOther: false, ladders: [] });
    });

    test('a song contest is resolved with one winner, and its reserved slots are placeholders', () => {
      const event = read('event.eurovision-winner-2026');
      expect(event).toMatchObject({ status: 'closed', exclusive: true, category: 'Music' });
      const winners = event.markets.filter(market => market.resolution === 'yes');
      expect(winners.map(market => market.name)).toEqual(['Bulgaria']);
      const placeholders = event.markets.filter(market => market.placeholder);
      expect(placeholders.map(market => market.name)).toEqual(['Country C', 'Country E', 'Other']);
      expect(event.canGrow).toBe(true);
      expect(event.markets.filter(({ other }) => other).map(({ name }) => name)).toEqual(['Other']);
      expect(event.markets.every(market => market.lastTrade === null)).toBe(true);
    });

    test('a cricket match has the teams as sides and no fees', () => {
      const event = read('event.crint-can-zaf-2026-02-09');
      expect(event).toMatchObject({ status: 'closed', exclusive: false });
      expect(event.markets[0]).toMatchObject({
        sides: ['Canada', 'South Africa'],
        resolution: 'no',
        takerFee: { rate: 0, exponent: 1 },
      });
      expect(event.markets.map(market => market.resolution)).toEqual(['no', 'yes', 'yes']);
    });

    test.each([
      ['event.fifwc-rsa-can-2026-06-28', '2026-06-25T10:02'],
      ['event.world-cup-nation-to-reach-quarterfinals', '2026-06-02T14:5'],
      ['event.eurovision-winner-2026', '2025-12-06T00:4'],
      // Its `creationDate` is the start of the match, six days later.
      ['event.crint-can-zaf-2026-02-09', '2026-02-03T05:01'],
    ])('trading began when orders were first accepted: %s', (name, minute) => {
      const event = read(name);
      const openings = event.markets.map(({ openedAt }) => openedAt ?? '');
      expect(event.openedAt?.startsWith(minute)).toBe(true);
      for (const openedAt of openings)
        expect(Math.abs(Date.parse(openedAt) - Date.parse(event.openedAt ?? ''))).toBeLessThan(600_000);
    });

    test.each(['nt.gamma_market_closed_nonbinary_legacy', 'nt.gamma_market_closed_zero_zero_legacy'])(
      'a legacy market has no winner: %s',
      name => {
        const market = json(name);
        expect(parseGammaEvent(market)).toBeNull();
        const event = parseGammaEvent({ id: '1', title: 'Legacy', closed: true, markets: [market] });
        expect(event?.markets[0]).toMatchObject({
          status: 'closed',
          resolution: 'void',
          bestBid: null,
          bestAsk: null,
        });
      },
    );

    test('an order book is not an event', () => {
      expect(parseGammaEvent(json('nt.clob_book_response'))).toBeNull();
    });

    test('a search response is read in its order with its total', async () => {
      const body = readFileSync(pathOf('public-search.response'));
      const source = createGammaEventSource({
        baseUrl: 'http://gamma.test',
        fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
        timeoutMs: 1000,
      });
      const page = await source.search(eventQuery({ search: 'canada', status: 'all' }));
      expect(page.total).toBe(25);
      expect(page.events.map(event => event.title)).toEqual([
        'South Africa vs. Canada',
        'T20 World Cup: Canada vs South Africa (Game 1)',
      ]);
    });
  },
);

function pathOf(name: string): string {
  return `${folder}/${name}.json`;
}

function json(name: string): unknown {
  return JSON.parse(readFileSync(pathOf(name), 'utf8'));
}

function read(name: string): MarketEvent {
  const event = parseGammaEvent(json(name));
  if (event === null) throw new Error(`${name} is not an event`);
  return event;
}
