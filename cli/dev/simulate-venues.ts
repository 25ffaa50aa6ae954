import { startVenues } from '../../simulator/venues/start-venues.js';

/** Starts simulated venues. @returns The environment in which the service reads its events from them. */
export async function simulateVenues(now: () => number): Promise<Readonly<Record<string, string>>> {
  const { gammaUrl, dataUrl, clobUrl, kalshiUrl } = await startVenues({ now });
  return {
    MARKETS: 'polymarket,kalshi',
    POLYMARKET_GAMMA_URL: gammaUrl,
    POLYMARKET_DATA_URL: dataUrl,
    POLYMARKET_CLOB_URL: clobUrl,
    KALSHI_API_URL: kalshiUrl,
  };
}
