import { z } from 'zod';
import { MarketUnreadable, type PricePoint, type PriceQuery } from '../event-source.js';
import type { VenueClient } from '../http/venue-client.js';
import { gammaMarketsOf } from './parse-gamma-event.js';

/**
 * Reads what one outcome token traded at, oldest first, from Polymarket's order book API. Empty if it never traded
 * between the two times. A long time is read at steps of twelve hours, because the API refuses finer ones.
 *
 * @throws MarketUnavailable
 */
export async function readClobPrices(
  client: VenueClient,
  tokenId: string,
  { from, to }: Pick<PriceQuery, 'from' | 'to'>,
): Promise<readonly PricePoint[]> {
  const start = Math.floor(Date.parse(from) / 1_000);
  const end = Math.ceil(Date.parse(to) / 1_000);
  const answer = await client.get('/prices-history', { market: tokenId, ...stepsOf(start, end) });
  if (!answer.found) return [];
  const read = historySchema.safeParse(answer.body);
  if (!read.success) throw new MarketUnreadable('Polymarket answered with prices that cannot be read.');
  return read.data.history
    .filter(({ t }) => t >= start && t <= end)
    .sort((a, b) => a.t - b.t)
    .map(({ t, p }) => ({ at: new Date(t * 1_000).toISOString(), yesPrice: p }));
}

/**
 * The token that pays if the market resolves to YES: the first of its two.
 *
 * @param rawEvent the JSON of `/events/{id}`
 * @returns null if the event has no such market, or the market is not traded in the order book
 */
export function yesTokenOf(rawEvent: unknown, marketId: string): string | null {
  const market = gammaMarketsOf(rawEvent).find(({ id }) => id === marketId);
  return market?.clobTokenIds?.[0] ?? null;
}

const historySchema = z.object({
  history: z.array(z.object({ t: z.number().int(), p: z.number().min(0).max(1) })),
});

function stepsOf(start: number, end: number): Readonly<Record<string, string>> {
  if (end - start > longestFineSeconds) return { interval: 'max', fidelity: String(coarseMinutes) };
  const minutes = Math.max(1, Math.ceil((end - start) / 60 / pointsWanted));
  return { startTs: String(start), endTs: String(end), fidelity: String(minutes) };
}

/** The API refuses a longer time between `startTs` and `endTs`. */
const longestFineSeconds = 14 * 86_400;
const coarseMinutes = 720;
const pointsWanted = 500;
