import type { ConcludeInput } from '../../../council/conclusion/conclude.js';
import type { WeightsInForce } from '../../../council/estimate/weights.js';
import { method } from '../../../council/method.js';
import { councilModels } from '../../../council/models.js';
import { cupMatch, unanimous } from '../fixtures.js';

/** The default forecast of every member in the worked example. */
export const percents = { Canada: 62, Draw: 22, 'South Africa': 16 };

/** Weights near those of real forecasts. */
export const weights: WeightsInForce = {
  id: 'weights-test',
  sha256: 'a'.repeat(64),
  coefficients: { market: 0.7, council: 0.4, council_by_dispersion: 0.1 },
  kind: 'estimate/2',
};

/** A run of the worked example without dropouts. */
export function input(overrides: Partial<ConcludeInput> = {}): ConcludeInput {
  return {
    method: method.name,
    weights,
    event: cupMatch,
    pricesAt: '2031-04-01T00:00:00Z',
    quoteAgeSeconds: 12,
    queriedMarket: 'Canada',
    opinions: unanimous(councilModels, percents),
    reviews: {},
    evidence: null,
    dropouts: [],
    chairman: 'claude',
    simulated: true,
    ...overrides,
  };
}
