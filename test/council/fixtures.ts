import type { ShownWithQuestion } from '../../council/answers/grounds.js';
import type { ShownChanges } from '../../council/answers/triggers.js';
import type { CrossReview, Grounds, Opinion } from '../../council/deliberation/stages.js';
import type { Market, MarketEvent } from '../../council/event.js';
import type { CouncilModel } from '../../council/models.js';
import type { SalesPolicy } from '../../purchase/house-ceilings.js';

/** A question that shows no source, asked on a day before every date in an answer. */
export const shown: ShownWithQuestion = { citable: [], today: '2031-04-01' };

/** What a chairman sees of the answers A and B: two changes of the first, none of the second. */
export const shownChanges: ShownChanges = {
  changes: new Map([
    ['A1', { model: 'gpt', change: 0 }],
    ['A2', { model: 'gpt', change: 1 }],
  ]),
  answers: new Map([
    ['A', 'gpt'],
    ['B', 'grok'],
  ]),
  today: '2031-04-01',
};

/** A service without ceilings, which asks for no verified address. */
export const unlimitedSales: SalesPolicy = {
  houseLimitUsdMicros: Infinity,
  grantLimitUsdMicros: Infinity,
  grantNeedsVerifiedAddress: false,
};

/** An open market with a tight book at 0.40/0.42 and no fee, with overrides. */
export function market(overrides: Partial<Market> & { name: string }): Market {
  return {
    marketId: `id-${overrides.name}`,
    question: `Will it be ${overrides.name}?`,
    slug: `slug-${overrides.name.toLowerCase().replace(/\W+/g, '-')}`,
    sides: ['Yes', 'No'],
    status: 'open',
    placeholder: false,
    other: false,
    rules: null,
    closesAt: null,
    resolutionSource: null,
    bestBid: 0.4,
    bestAsk: 0.42,
    lastTrade: null,
    volume: 1_000,
    takerFee: { rate: 0, exponent: 1 },
    resolution: 'unresolved',
    ...overrides,
  };
}

/** A market whose book is two cents wide around its price. */
export function priced(name: string, price: number, overrides: Partial<Market> = {}): Market {
  return market({ name, bestBid: price - 0.01, bestAsk: price + 0.01, ...overrides });
}

/** No bid, no ask, no trade. */
export function unpriced(name: string, overrides: Partial<Market> = {}): Market {
  return market({ name, bestBid: null, bestAsk: null, lastTrade: null, ...overrides });
}

export function event(markets: readonly Market[], overrides: Partial<MarketEvent> = {}): MarketEvent {
  return {
    eventId: 'e1',
    slug: null,
    source: 'sample',
    title: 'Who wins the cup?',
    description: 'Resolves to the winner of the final.',
    category: 'Sport',
    closesAt: '2031-05-01T12:00:00Z',
    status: 'open',
    exclusive: true,
    canGrow: false,
    resolutionSource: null,
    volume: 123_456,
    url: 'https://example.com/e1',
    markets,
    ...overrides,
  };
}

/** The fixture of the worked example: three exclusive outcomes with sports fees. */
export const cupMatch = event(
  [
    market({
      name: 'South Africa',
      bestBid: 0.17,
      bestAsk: 0.18,
      takerFee: { rate: 0.03, exponent: 1 },
    }),
    market({ name: 'Draw', bestBid: 0.26, bestAsk: 0.27, takerFee: { rate: 0.03, exponent: 1 } }),
    market({ name: 'Canada', bestBid: 0.55, bestAsk: 0.56, takerFee: { rate: 0.03, exponent: 1 } }),
  ],
  { title: 'South Africa vs. Canada' },
);

export function opinion(
  percents: Readonly<Record<string, number>>,
  overrides: Partial<Opinion> = {},
): Opinion {
  return {
    distribution: Object.entries(percents).map(([outcome, probability]) => ({ outcome, probability })),
    confidence: 60,
    rationale: 'Base rates first.',
    evidence: [{ fact: 'A fact.', sources: [] }],
    ...overrides,
  };
}

/** Grounds of a forecast about Yes, without base rates and changes, with overrides. */
export function grounds(overrides: Partial<Grounds> = {}): Grounds {
  return {
    rule: 'As the rules say.',
    resolutionRisk: 2,
    baseRates: [],
    outsideView: null,
    subject: 'Yes',
    range: { low: 55, high: 70 },
    wouldChange: [],
    dropped: [],
    ...overrides,
  };
}

export function review(
  ranking: readonly CouncilModel[],
  percents: Readonly<Record<string, number>>,
  overrides: Partial<CrossReview> = {},
): CrossReview {
  return {
    ranking,
    critiques: ranking.map(model => ({ model, strengths: 'Sound.', weaknesses: 'Short.' })),
    revisedDistribution: Object.entries(percents).map(([outcome, probability]) => ({ outcome, probability })),
    revisedConfidence: 60,
    ...overrides,
  };
}

/** The same opinion from every model. */
export function unanimous(
  models: readonly CouncilModel[],
  percents: Readonly<Record<string, number>>,
): Partial<Record<CouncilModel, Opinion>> {
  return Object.fromEntries(models.map(model => [model, opinion(percents)]));
}
