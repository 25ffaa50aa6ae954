import { describe, expect, test } from '@jest/globals';
import { createKalshiEventList } from '../../../markets/kalshi/list-kalshi-events.js';
import { parseKalshiEvent } from '../../../markets/kalshi/parse-kalshi-event.js';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import kalshiEvents from '../../../simulator/venues/kalshi-events.json' with { type: 'json' };
import polymarketEvents from '../../../simulator/venues/polymarket-events.json' with { type: 'json' };
import { useControlledVenues } from './controlled-venues.js';

const { venues, act, move, sources } = await useControlledVenues();
const { kalshi, polymarket } = sources(5_000);

interface Step {
  readonly status: string;
  readonly price?: number | null;
}

describe('our parsers read every simulated answer', () => {
  const no = { result: 'no', value: '0.0000' };
  test.each<[Step]>([
    [{ status: 'active' }],
    [{ status: 'closed' }],
    [{ status: 'determined', ...no }],
    [{ status: 'disputed', ...no }],
    [{ status: 'amended', ...no }],
    [{ status: 'finalized', ...no }],
  ])('of Kalshi, with all markets at %j', async step => {
    for (const event of kalshiEvents)
      for (const market of tickersOf(event)) await move('kalshi', market, step);
    for (const event of kalshiEvents) {
      const answer = await read(`${venues.kalshiUrl}/events/${event.ticker}?with_nested_markets=true`);
      expect(parseKalshiEvent(answer.event, null)?.title).toContain(event.title);
      await expectKalshiRead(event, step);
    }
  });

  test('of Kalshi, with all markets in its history', async () => {
    const step = { status: 'finalized', ...no };
    for (const event of kalshiEvents) {
      for (const market of tickersOf(event)) {
        await move('kalshi', market, step);
        await act({ act: 'archive', venue: 'kalshi', market });
      }
      await expectKalshiRead(event, step);
    }
  });

  test.each<[Step]>([
    [{ status: 'initialized', price: null }],
    [{ status: 'posed', price: null }],
    [{ status: 'proposed', price: 1 }],
    [{ status: 'disputed', price: 1 }],
    [{ status: 'reproposed', price: 0 }],
    [{ status: 'resolved', price: 0 }],
  ])('of Polymarket, with all markets at %j', async step => {
    for (const { markets } of polymarketEvents)
      for (const { key } of markets) await move('polymarket', key, step);
    for (const { id, title, markets } of polymarketEvents) {
      const event = parseGammaEvent(await read(`${venues.gammaUrl}/events/${id}`));
      expect(event?.title).toBe(title);
      expect(event?.markets.map(({ marketId }) => marketId)).toEqual(markets.map(({ key }) => key));
      if (step.price === null) {
        expect(event?.markets.map(({ bestBid, bestAsk }) => [bestBid, bestAsk])).toEqual(
          markets.map(({ bid, ask }) => [bid, ask]),
        );
      }
      const ending = await polymarket.readEnding(id);
      for (const { key } of markets) {
        expect(ending?.words[key]).toMatchObject({ status: step.status });
        expect(await polymarket.readPrices({ eventId: id, marketId: key, ...span })).not.toHaveLength(0);
      }
    }
  });

  const span = { from: '2026-11-20T00:00:00Z', to: '2026-11-20T02:00:00Z' };
  const read = async (url: string) => JSON.parse(await (await fetch(url)).text());
  const tickersOf = ({ ticker, markets }: (typeof kalshiEvents)[number]) =>
    markets.map(({ suffix }) => `${ticker}-${suffix}`);

  async function expectKalshiRead(event: (typeof kalshiEvents)[number], { status }: Step) {
    const tickers = tickersOf(event);
    const eventId = `kalshi:${event.ticker}`;
    const list = createKalshiEventList({ fetch, timeoutMs: 5_000, baseUrl: venues.kalshiUrl });
    expect(await list.read({ cursor: null, changedSince: new Date(0) })).toMatchObject({ unreadable: 0 });
    const ending = await kalshi.readEnding(eventId, tickers);
    expect(ending?.event.markets.map(({ marketId }) => marketId)).toEqual(tickers);
    for (const [index, marketId] of tickers.entries()) {
      expect(ending?.words[marketId]).toMatchObject({ status });
      const prices = await kalshi.readPrices({ eventId, marketId, ...span });
      expect(prices).toHaveLength(event.markets[index]?.last === '0.0000' ? 0 : 3);
    }
  }
});
