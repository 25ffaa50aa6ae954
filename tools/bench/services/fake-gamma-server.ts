import { createServer, type Server, type ServerResponse } from 'node:http';

/** Polymarket's Gamma API as far as purchases need it: an event by id, where any number is a valid id. */
export function createFakeGamma(): Server {
  return createServer((request, response) => {
    const id = /^\/events\/(\d{1,9})$/.exec(request.url ?? '')?.[1];
    if (id === undefined) send(response, 404, { type: 'not found error', error: 'not found' });
    else send(response, 200, eventOf(Number(id)));
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/** An exclusive event with four markets and rules of realistic length. Prices vary slightly by id. */
function eventOf(id: number): object {
  const names = ['Aldermoor', 'Brackwater', 'Cawdale', 'Dunmere'];
  const shift = (id % 7) / 100;
  const prices = [0.41 - shift, 0.29, 0.19 + shift, 0.1];
  return {
    id: String(id),
    ticker: `league-winner-${id}`,
    slug: `league-winner-${id}`,
    title: `Who wins the river league of season ${id}?`,
    description: rules,
    startDate: '2030-01-01T00:00:00Z',
    endDate: '2031-06-30T12:00:00Z',
    active: true,
    closed: false,
    archived: false,
    negRisk: true,
    negRiskAugmented: false,
    volume: 125_000.5,
    liquidity: 21_000.25,
    tags: [
      { id: '1', label: 'Sports', slug: 'sports' },
      { id: '2', label: 'Rowing', slug: 'rowing' },
    ],
    markets: names.map((name, index) => marketOf(id, index, name, prices[index] ?? 0)),
  };
}

function marketOf(eventId: number, index: number, name: string, price: number): object {
  const bid = round(price - 0.01);
  return {
    id: String(eventId * 10 + index),
    question: `Does ${name} win the river league of season ${eventId}?`,
    conditionId: `0x${'ab'.repeat(32)}`,
    slug: `${name.toLowerCase()}-wins-${eventId}`,
    groupItemTitle: name,
    description: rules,
    endDate: '2031-06-30T12:00:00Z',
    outcomes: '["Yes", "No"]',
    outcomePrices: JSON.stringify([String(round(price)), String(round(1 - price))]),
    clobTokenIds: JSON.stringify([
      `${eventId}${index}1`.padEnd(77, '7'),
      `${eventId}${index}2`.padEnd(77, '9'),
    ]),
    active: true,
    closed: false,
    negRisk: true,
    bestBid: bid,
    bestAsk: round(bid + 0.02),
    lastTradePrice: round(price),
    volume: '31250.125',
    volumeNum: 31_250.125,
    umaResolutionStatuses: '[]',
    feesEnabled: true,
    feeSchedule: { exponent: 1, rate: 0.05, takerOnly: true, rebateRate: 0.25 },
  };
}

function round(price: number): number {
  return Math.round(price * 1_000) / 1_000;
}

const rules = [
  'This market resolves to the crew that stands first in the final table of the river league, as published by the league on its own page.',
  'Should two crews have the same number of points, the one with more heats won stands first; should that be the same too, the one whose slowest heat was the faster.',
  'A crew that withdraws or is excluded before the last heat resolves to "No".',
  'If the season is abandoned, or no final table is published by 30 September 2031, 12:00 UTC, the market resolves to the crew that led the last table published.',
  'The primary source is the league; a consensus of credible reporting may be used in its place.',
].join('\n\n');
