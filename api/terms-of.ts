import { modelQueues } from '../config/model-queues.js';
import type { StageDeadlines } from '../config/stage-deadlines.js';
import type { TemporalManifest } from '../config/temporal-manifest.js';
import { councilModels } from '../council/models.js';
import { type ReportOrder, runEdition } from '../workflows/report-order.js';

/** What every order of this deployment has in common. */
export function termsOf(
  manifest: TemporalManifest,
  { stageDeadlinesMs, isEmbedded }: { stageDeadlinesMs: StageDeadlines; isEmbedded: boolean },
): Pick<ReportOrder, 'edition' | 'models' | 'modelQueues' | 'policies' | 'stageDeadlinesMs'> {
  return {
    edition: runEdition,
    models: councilModels,
    ...(isEmbedded && !manifest.embedded_server.own_model_queues
      ? {}
      : { modelQueues: modelQueues(manifest) }),
    policies: manifest.policies,
    stageDeadlinesMs,
  };
}
