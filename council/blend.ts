import { blendCouncilWeight } from './method.js';
import { pool } from './pool.js';

/**
 * The blend that is graded beside council and market: 20 % council, 80 % market, in logits. Never the headline.
 *
 * @param council and market: aligned probabilities (0..1)
 */
export function blend(council: readonly number[], market: readonly number[], exclusive: boolean): number[] {
  return pool([council, market], { exclusive, weights: [blendCouncilWeight, 1 - blendCouncilWeight] });
}
