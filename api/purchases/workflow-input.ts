import type { StageDeadlines } from '../../config/settings.js';
import { modelQueues, type TemporalManifest } from '../../config/temporal/manifest.js';
import { councilModels } from '../../council/models.js';
import { type CouncilReportInput, runEdition } from '../../workflows/council-report-input.js';

/** What every order of this deployment has in common. */
export function defaultWorkflowInput(
  manifest: TemporalManifest,
  { stageDeadlinesMs, isEmbedded }: { stageDeadlinesMs: StageDeadlines; isEmbedded: boolean },
): Pick<CouncilReportInput, 'edition' | 'models' | 'modelQueues' | 'policies' | 'stageDeadlinesMs'> {
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
