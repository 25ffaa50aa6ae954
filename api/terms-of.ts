import type { StageDeadlines } from '../config/stage-deadlines.js';
import type { TemporalManifest } from '../config/temporal-manifest.js';
import { councilModels } from '../council/models.js';
import type { ReportOrder } from '../workflows/report-order.js';

/** What every order of this deployment has in common. */
export function termsOf(
  manifest: TemporalManifest,
  stageDeadlinesMs: StageDeadlines,
): Pick<ReportOrder, 'models' | 'policies' | 'stageDeadlinesMs'> {
  return { models: councilModels, policies: manifest.policies, stageDeadlinesMs };
}
