import type { MarketEvent } from '../../../council/event.js';
import type { Prompt } from '../../../council/prompts/prompt.js';
import { event, market } from '../fixtures.js';

/** An event whose prices and volumes are numbers that occur nowhere else. */
export const telltale: MarketEvent = event(
  [
    market({ name: 'Alpha', bestBid: 0.6173, bestAsk: 0.6197, lastTrade: 0.6184, volume: 918_273 }),
    market({ name: 'Beta', bestBid: 0.2531, bestAsk: 0.2579, lastTrade: 0.2555, volume: 645_546 }),
    market({ name: 'Gamma', bestBid: 0.1237, bestAsk: 0.1279, lastTrade: 0.1259, volume: 372_819 }),
  ],
  { volume: 1_936_638, url: 'https://market.example/telltale' },
);

/** The prices, volumes and URLs that occur in a prompt, in any spelling. */
export function leaks(
  { system, user }: Pick<Prompt, 'system' | 'user'>,
  of: MarketEvent = telltale,
): string[] {
  const sent = `${system}\n${user}`;
  const prices = of.markets.flatMap(({ bestBid, bestAsk, lastTrade }) => [bestBid, bestAsk, lastTrade]);
  const numbers = prices.flatMap(price => (price === null ? [] : spellings(price)));
  const volumes = [of.volume, ...of.markets.map(({ volume }) => volume)].flatMap(volume => [
    String(volume),
    volume.toLocaleString('en-US'),
  ]);
  const addresses = [...of.markets.map(({ slug }) => slug), of.url ?? '-', 'olymarket'];
  return [...numbers, ...volumes, ...addresses].filter(text => sent.includes(text));
}

function spellings(price: number): string[] {
  const percent = price * 100;
  const shares = [String(price), String(price).slice(1), price.toFixed(2), price.toFixed(3)];
  return [...shares, percent.toFixed(2), percent.toFixed(1)];
}
