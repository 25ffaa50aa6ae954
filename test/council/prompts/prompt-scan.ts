import type { Market, MarketEvent } from '../../../council/event.js';
import type { Prompt } from '../../../council/prompts/prompt.js';
import { event, market } from '../fixtures.js';

/** An event whose prices and volumes are numbers that occur nowhere else. */
export const telltale: MarketEvent = event(
  [
    telltaleMarket('Alpha', 0.6173, 0.6197, 0.6184, 918_273),
    telltaleMarket('Beta', 0.2531, 0.2579, 0.2555, 645_546),
    telltaleMarket('Gamma', 0.1237, 0.1279, 0.1259, 372_819),
  ],
  { volume: 1_936_638, url: 'https://market.example/telltale' },
);

/**
 * The prices, volumes and URLs that occur in a prompt, in any spelling.
 */
export function leaks({ system, user }: Prompt, of: MarketEvent = telltale): string[] {
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

function telltaleMarket(
  name: string,
  bestBid: number,
  bestAsk: number,
  lastTrade: number,
  volume: number,
): Market {
  return market({ name, bestBid, bestAsk, lastTrade, volume });
}

function spellings(price: number): string[] {
  const percent = price * 100;
  return [
    String(price),
    String(price).slice(1),
    percent.toFixed(2),
    percent.toFixed(1),
    price.toFixed(2),
    price.toFixed(3),
  ];
}
