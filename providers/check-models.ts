import { type CouncilModel, councilModels } from '../council/models.js';
import type { ModelCatalogue } from './model-catalogue.js';
import { type ModelProvider, ProviderError } from './model-provider.js';

/** A model that its vendor would not serve to us as configured. */
export interface UnservedModel {
  readonly model: CouncilModel;
  readonly modelId: string;
  /** Our own words and the HTTP status: never the vendor's text, never a key. */
  readonly reason: string;
}

const checkTimeoutMs = 15_000;

/**
 * Asks every vendor, for free, whether it knows the model configured for it: ids age within weeks, and a stale one
 * would otherwise show as a member that drops out of every report.
 */
export async function checkModels(
  providers: Readonly<Record<CouncilModel, ModelProvider>>,
  catalogue: ModelCatalogue,
): Promise<UnservedModel[]> {
  const checked = await Promise.all(
    councilModels.map(async model => {
      const reason = await problemOf(providers[model]);
      return reason === null ? [] : [{ model, modelId: catalogue[model].modelId, reason }];
    }),
  );
  return checked.flat();
}

async function problemOf(provider: ModelProvider): Promise<string | null> {
  try {
    await provider.checkModel({ timeoutMs: checkTimeoutMs, signal: new AbortController().signal });
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.message;
  }
}
