import { controlExample } from '../../simulator/venues/handle-control.js';
import { startVenues } from '../../simulator/venues/start-venues.js';

/**
 * Starts simulated venues, and says how they are changed while they run.
 *
 * @returns The environment in which the service reads its events from them.
 */
export async function simulateVenues(
  now: () => number,
  say: (line: string) => void,
): Promise<Readonly<Record<string, string>>> {
  const { gammaUrl, dataUrl, clobUrl, kalshiUrl, controlUrl } = await startVenues({ now });
  say(`Venues are SIMULATED. Their markets and faults: ${controlUrl}. To change them, for example:`);
  say(`  curl ${controlUrl} -d '${JSON.stringify(controlExample)}'`);
  return {
    MARKETS: 'polymarket,kalshi',
    POLYMARKET_GAMMA_URL: gammaUrl,
    POLYMARKET_DATA_URL: dataUrl,
    POLYMARKET_CLOB_URL: clobUrl,
    KALSHI_API_URL: kalshiUrl,
  };
}
