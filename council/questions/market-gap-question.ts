import { marketGapSchema } from '../answers/answer-schemas.js';
import { parseMarketGap } from '../answers/stage-parsers.js';
import { consensus, memberForecasts } from '../conclusion/consensus.js';
import { marketGap } from '../conclusion/market-gap.js';
import type { CrossReview, MarketGapReasons } from '../deliberation/stages.js';
import { impliedDistribution } from '../market/prices.js';
import type { CouncilModel } from '../models.js';
import { marketGapPrompt } from '../prompts/market-gap-prompt.js';
import { type DeliberationSoFar, type StageQuestion, sourcesOf } from './stage-questions.js';

/**
 * Beside stage 3: why council and market differ, asked of one member. Null if they are close, as the conclusion finds by
 * the same formula from the same forecasts and prices.
 */
export function marketGapQuestion(
  { opinions, ...deliberation }: DeliberationSoFar,
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
  explainer: CouncilModel,
): StageQuestion<MarketGapReasons> | null {
  const { set } = deliberation;
  const council = consensus(set, memberForecasts(set, opinions, reviews));
  const gap = marketGap(set, council, impliedDistribution(set));
  if (gap === null) return null;
  return {
    prompt: marketGapPrompt({ ...deliberation, ...sourcesOf(deliberation, explainer), gap }),
    schemaName: 'market_gap',
    schema: marketGapSchema(),
    parse: parseMarketGap,
  };
}
