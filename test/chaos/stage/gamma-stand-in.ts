import { createServer, type ServerResponse } from 'node:http';
import { gammaEvent, gammaMarket } from '../../markets/gamma/gamma-fixtures.js';

/** How the market answers. */
export type MarketMood = 'fine' | 'down' | 'slow' | 'garbled';

export interface GammaStandIn {
  readonly url: string;
  mood: MarketMood;
}

/** Ids from here on are events; there are as many as anybody asks for. */
export const firstEventId = 5_000_000;
const slowMs = 6_000;
/** One in so many ends between the first time it is looked at and the next. */
const soonOverEvery = 23;

/**
 * A market like Polymarket's Gamma, on the wire. Every reading of an event has a number of its own in its rules, so that a
 * question to a model tells which frozen market, and therefore which report, it belongs to.
 */
export async function startGammaStandIn(): Promise<GammaStandIn> {
  const readings = new Map<number, number>();
  let editions = 0;
  const server = createServer((request, response) => {
    const id = Number(/^\/events\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    const { mood } = standIn;
    if (mood === 'down') return send(response, 503, '{"error":"sorry"}');
    if (id < firstEventId) return send(response, 404, '{"error":"not found"}');
    const seen = readings.get(id) ?? 0;
    readings.set(id, seen + 1);
    const text = JSON.stringify(eventOf(id, ++editions, seen > 0 && id % soonOverEvery === 0));
    if (mood === 'garbled') return send(response, 200, text.slice(0, text.length / 2));
    setTimeout(() => send(response, 200, text), mood === 'slow' ? slowMs : 0);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const standIn: GammaStandIn = { url: `http://127.0.0.1:${port}`, mood: 'fine' };
  return standIn;
}

const editionMark = /Reading (\d+) of the gauge\./;

/** Which reading of which event a text is about; null for a text about none. */
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
