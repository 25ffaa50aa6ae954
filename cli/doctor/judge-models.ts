import { hasQuorum } from '../../council/quorum.js';
import type { ModelFinding } from '../model-finding.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** A problem where no report could be made, or a model that has a key would not answer. */
export function judgeModels(models: readonly ModelFinding[]): Finding {
  const working = models.filter(({ works }) => works);
  const count = `${working.length} of ${models.length} models would answer`;
  const next = 'Each model below says what to do.';
  if (!hasQuorum(working)) {
    return problem('models', `${count}: too few for a report. Every run would fail, and be refunded.`, next);
  }
  if (working.length === models.length) return ok('models', `${count}.`);
  const make = models.some(({ works, configured }) => configured && !works) ? problem : warning;
  return make('models', `${count}: reports would be made, and marked as degraded.`, next);
}
