import type { CouncilModel } from '../council/models.js';
import type { TemporalManifest } from './temporal-manifest.js';

/** On which task queue the calls to each member wait. */
export function modelQueues({
  model_calls,
}: Pick<TemporalManifest, 'model_calls'>): Readonly<Record<CouncilModel, string>> {
  const queueOf = (model: CouncilModel) => `${model_calls.queue_prefix}-${model}`;
  return { claude: queueOf('claude'), gpt: queueOf('gpt'), gemini: queueOf('gemini'), grok: queueOf('grok') };
}
