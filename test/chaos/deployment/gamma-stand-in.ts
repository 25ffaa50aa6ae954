import { createServer, type ServerResponse } from 'node:http';
import { gammaEvent, gammaMarket } from '../../markets/polymarket/gamma-fixtures.js';

/** How the market answers. */
export type MarketBehaviour = 'fine' | 'down' | 'slow' | 'garbled';

export interface GammaStandIn {
  readonly url: string;
  behaviour: MarketBehaviour;
}

/** Every id from here on is an event. */
export const firstEventId = 5_000_000;
const slowMs = 6_000;
/** One event in this many ends between its first and second reading. */
export const soonOverEvery = 23;

/**
 * A server with the API of Polymarket's Gamma. Each reading of an event has a unique number in its rules, so
 * that a model call can be traced to a market snapshot, and thereby to a report.
 */
export async function startGammaStandIn(): Promise<GammaStandIn> {
  const readings = new Map<number, number>();
  let editions = 0;
  const server = createServer((request, response) => {
    const id = Number(/^\/events\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    const { behaviour } = standIn;
    if (behaviour === 'down') return send(response, 503, '{"error":"sorry"}');
    if (id < firstEventId) return send(response, 404, '{"error":"not found"}');
    const seen = readings.get(id) ?? 0;
    readings.set(id, seen + 1);
    const text = JSON.stringify(eventOf(id, ++editions, seen > 0 && id % soonOverEvery === 0));
    if (behaviour === 'garbled') return send(response, 200, text.slice(0, text.length / 2));
    setTimeout(() => send(response, 200, text), behaviour === 'slow' ? slowMs : 0);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const standIn: GammaStandIn = { url: `http://127.0.0.1:${port}`, behaviour: 'fine' };
  return standIn;
}

const editionMark = /Reading (\d+) of the gauge\./;

/** The number of the reading that a text quotes; null without one. */
export function editionIn(text: string): number | null {
  const [, edition] = editionMark.exec(text) ?? [];
  return edition === undefined ? null : Number(edition);
}

function eventOf(id: number, edition: number, isOver: boolean) {
  const names = id % 3 === 0 ? ['Ada', 'Bo', 'Cleo'] : ['Rain'];
  return gammaEvent({
    id: String(id),
    slug: `storm-${id}`,
    title: `Storm ${id}`,
    description: `Resolves by the rain gauge. Reading ${edition} of the gauge.`,
    closed: isOver,
    negRisk: names.length > 1,
    markets: names.map((name, index) => {
      const price = 0.2 + ((id + index) % 5) / 10 / names.length;
      return gammaMarket({
        id: `${id}${index}`,
        question: `Will ${name} win storm ${id}?`,
        slug: `storm-${id}-${index}`,
        groupItemTitle: names.length > 1 ? name : null,
        outcomePrices: JSON.stringify([price, 1 - price].map(String)),
        bestBid: price - 0.01,
        bestAsk: price + 0.01,
        lastTradePrice: price,
        closed: isOver,
        negRisk: names.length > 1,
      });
    }),
  });
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text);
}
