import firstWeightsFile from './first-weights.json' with { type: 'json' };
import { parseWeights } from './parse-weights.js';
import type { Weights } from './weights.js';

/**
 * The weights that the service begins with, fitted by `council weights fit` on 1,943 forecasts of 531 resolved questions
 * (Halawi et al. 2024, the half for training).
 */
export const firstWeights: Weights = parseWeights(firstWeightsFile);
