import { stages } from './deliberation.js';
import { type Dropout, dropoutText } from './dropout.js';
import { type CouncilModel, councilModels } from './models.js';

/** For every model lost, why: its first failure, in our own words. */
export function providerFailures(
  dropouts: readonly Dropout[],
): Readonly<Partial<Record<CouncilModel, string>>> {
  const inOrder = [...dropouts].sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
  return Object.fromEntries(
    councilModels.flatMap(model => {
      const first = inOrder.find(dropout => dropout.model === model);
      return first ? [[model, dropoutText(first)]] : [];
    }),
  );
}
