/** A Gamma event with one market and the given changes. */
export function gammaEvent(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '900001',
    slug: 'will-it-rain',
    title: 'Will it rain?',
    description: 'Resolves by the rain gauge.',
    endDate: '2031-03-01T12:00:00Z',
    closed: false,
    negRisk: false,
    volume: 1200.5,
    tags: [{ label: 'Rain' }, { label: 'Weather' }],
    markets: [gammaMarket()],
    ...overrides,
  };
}

export function gammaMarket(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '700001',
    question: 'Will it rain on Sunday?',
    slug: 'rain-on-sunday',
    groupItemTitle: null,
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.41", "0.59"]',
    active: true,
    closed: false,
    bestBid: 0.4,
    bestAsk: 0.42,
    lastTradePrice: 0.41,
    volume: '1200.5',
    volumeNum: 1200.5,
    umaResolutionStatuses: '[]',
    feesEnabled: true,
    feeSchedule: { exponent: 1, rate: 0.05, takerOnly: true, rebateRate: 0.25 },
    ...overrides,
  };
}

/** Small events, most traded first, as in a list. */
export function gammaEvents(count: number, firstId = 1): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    gammaEvent({
      id: String(firstId + index),
      slug: `event-${firstId + index}`,
      volume: 1_000_000 - firstId - index,
    }),
  );
}
