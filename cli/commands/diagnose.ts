import { projectFiles } from '../../config/project-files.js';
import type { Settings } from '../../config/settings.js';
import { councilModels } from '../../council/models.js';
import { hasQuorum } from '../../council/quorum.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { openProviders } from '../../providers/open-providers.js';
import { tryModel } from '../../providers/try-model.js';
import { describeFinding, keyVariables, type ModelFinding, modelFinding } from '../model-finding.js';
import type { Output } from '../output.js';

/**
 * Asks every model one cheap question, as a report would, and says which would answer.
 * @returns false when a report could not be made, or a model that has a key would not answer
 */
export async function diagnose(
  settings: Settings,
  output: Output,
  { asOf }: { asOf: string },
): Promise<boolean> {
  const findings = await tryAll(settings, asOf);
  const quorum = hasQuorum(findings.filter(({ works }) => works));
  output.result(
    { providers: settings.COUNCIL_PROVIDERS, quorum, models: findings },
    [
      settings.COUNCIL_PROVIDERS === 'simulated'
        ? 'The models are SIMULATED: no vendor was asked.'
        : 'Each model was asked one short question, as a report would ask it.',
      '',
      ...findings.map(describeFinding),
      '',
      verdictOn(findings, quorum),
    ].join('\n'),
  );
  return quorum && findings.every(({ works, configured }) => works || !configured);
}

async function tryAll(settings: Settings, asOf: string): Promise<ModelFinding[]> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const open = await openProviders(settings, catalogue);
  try {
    return await Promise.all(
      councilModels.map(async model => {
        const entry = catalogue[model];
        const trial = await tryModel(open.providers[model], {
          asOf,
          maxOutputTokens: entry.maxOutputTokens,
          timeoutMs: settings.STAGE_DEADLINES_MS.opinions,
          signal: new AbortController().signal,
        });
        const hasKey = settings[keyVariables[entry.vendor]] !== undefined;
        const configured = settings.COUNCIL_PROVIDERS === 'simulated' || hasKey;
        return modelFinding(model, entry, { configured, trial });
      }),
    );
  } finally {
    await open.close();
  }
}

function verdictOn(findings: readonly ModelFinding[], quorum: boolean): string {
  const working = findings.filter(({ works }) => works).length;
  const count = `${working} of ${findings.length} models would answer`;
  if (!quorum) return `${count}: too few for a report. Every run would fail, and be refunded.`;
  return working < findings.length ? `${count}: reports would be made, and marked as degraded.` : `${count}.`;
}
