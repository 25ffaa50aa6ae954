import type { ConcludeInput } from '../../../council/conclusion/conclude.js';
import { councilModels } from '../../../council/models.js';
import { cupMatch, unanimous } from '../fixtures.js';

/** The default forecast of every member in the worked example. */
export const percents = { Canada: 62, Draw: 22, 'South Africa': 16 };

/** A run of the worked example without dropouts. */
export function input(overrides: Partial<ConcludeInput> = {}): ConcludeInput {
  return {
    event: cupMatch,
    pricesAt: '2031-04-01T00:00:00Z',
    quoteAgeSeconds: 12,
    queriedMarket: 'Canada',
    opinions: unanimous(councilModels, percents),
    reviews: {},
    dropouts: [],
    chairman: 'claude',
    simulated: true,
    ...overrides,
  };
}
