import { projectFiles } from '../../config/project-files.js';
import type { Settings } from '../../config/settings.js';
import { councilModels } from '../../council/models.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { openProviders } from '../../providers/open-providers.js';
import { tryModel } from '../../providers/try-model.js';
import { keyVariables, type ModelFinding, modelFinding } from '../model-finding.js';

/** Asks every model one cheap question, as a report would. */
export async function askModels(settings: Settings, asOf: string): Promise<readonly ModelFinding[]> {
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
