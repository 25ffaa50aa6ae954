import { describe, expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { sendJson, useFakeGamma } from './fake-gamma.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

const gamma = useFakeGamma();

describe('the past prices of a market', () => {
  test('are those of its YES token, oldest first, within the time asked for', async () => {
    const history = [
      { t: 1_783_000_600, p: 0.45 },
      { t: 1_783_000_000, p: 0.4 },
      { t: 1_784_000_000, p: 0.9 },
    ];
    const readPrices = await pricesFrom({ history });
    expect(await readPrices(day)).toEqual([
      { at: '2026-07-02T13:46:40.000Z', yesPrice: 0.4 },
      { at: '2026-07-02T13:56:40.000Z', yesPrice: 0.45 },
    ]);
    expect(gamma.requests).toEqual([
      '/events/900001',
      '/prices-history?market=11111&startTs=1782950400&endTs=1783036800&fidelity=3',
    ]);
  });

  test('of a long time are read at steps of twelve hours', async () => {
    const readPrices = await pricesFrom({ history: [] });
    expect(await readPrices({ from: '2026-01-01T00:00:00Z', to: day.to })).toEqual([]);
    expect(gamma.requests[1]).toBe('/prices-history?market=11111&interval=max&fidelity=720');
  });

  test.each([
    ['of an unknown market', '700009'],
    ['of a market outside the order book', '700002'],
  ])('%s are not there', async (_, marketId) => {
    const readPrices = await pricesFrom({ history: [] });
    expect(await readPrices({ ...day, marketId })).toBeNull();
    expect(gamma.requests).toHaveLength(1);
  });

  test('that cannot be read are a market that is unavailable', async () => {
    const readPrices = await pricesFrom({ history: [{ t: 1_783_000_000, p: 1.5 }] });
    await expect(readPrices(day)).rejects.toThrow(MarketUnavailable);
  });
});

const day = { from: '2026-07-02T00:00:00.000Z', to: '2026-07-03T00:00:00.000Z' };

async function pricesFrom(body: unknown) {
  const event = gammaEvent({
    markets: [gammaMarket({ clobTokenIds: '["11111", "22222"]' }), gammaMarket({ id: '700002', slug: 'b' })],
  });
  const baseUrl = await gamma.start(({ url }, response) =>
    sendJson(response, url.pathname === '/prices-history' ? body : event),
  );
  const source = createGammaEventSource({ fetch, timeoutMs: 1_000, baseUrl, clobUrl: baseUrl });
  return (query: { from: string; to: string; marketId?: string }) =>
    source.readPrices({ eventId: '900001', marketId: '700001', ...query });
}
