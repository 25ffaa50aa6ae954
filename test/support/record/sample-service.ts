import { shippedWeights } from '../../../council/estimate/first-weights.js';
import { weightsSha256 } from '../../../db/digests.js';
import type { SampleService } from '../../../simulator/record/sample-reports.js';

/** What the sample record is computed with in tests. */
export const sampleService: SampleService = {
  modelIds: { claude: 'claude-1', gpt: 'gpt-1', gemini: 'gemini-1', grok: 'grok-1' },
  searchers: ['claude', 'gpt', 'grok'],
  weights: {
    id: shippedWeights.id,
    sha256: weightsSha256(shippedWeights),
    coefficients: shippedWeights.coefficients,
    kind: shippedWeights.kind,
  },
};
