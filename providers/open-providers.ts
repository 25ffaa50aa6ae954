import type { CouncilModel } from '../council/models.js';
import { createProviders } from './create-providers.js';
import type { ModelCatalogue } from './model-catalogue.js';
import type { ModelProvider } from './model-provider.js';
import { startSimulator } from './simulator/simulator.js';

/** The part of the settings that says which models are asked, and where. */
export type ProviderEnvironment = {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
} & { readonly [Name in KeyName | AddressName]?: string | undefined };

type KeyName = 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | 'GEMINI_API_KEY' | 'XAI_API_KEY';
type AddressName = 'OPENAI_BASE_URL' | 'ANTHROPIC_BASE_URL' | 'GEMINI_BASE_URL' | 'XAI_BASE_URL';

export interface OpenProviders {
  readonly providers: Readonly<Record<CouncilModel, ModelProvider>>;
  /** Address of the simulator, where faults can be set; null with live models. */
  readonly simulatorUrl: string | null;
  readonly close: () => Promise<void>;
}

/** Long enough for a person to see the stages pass, short enough to wait for. */
const simulatedLatencyMs = { min: 400, max: 1_500 };

/** The models as configured: the vendors' own, or the simulator in their place, by the very same adapters. */
export async function openProviders(
  settings: ProviderEnvironment,
  catalogue: ModelCatalogue,
): Promise<OpenProviders> {
  if (settings.COUNCIL_PROVIDERS === 'simulated') {
    const simulator = await startSimulator({ latencyMs: simulatedLatencyMs });
    const keys = { openai: 'simulated', anthropic: 'simulated', google: 'simulated', xai: 'simulated' };
    return {
      providers: createProviders({ catalogue, keys, baseUrls: simulator.baseUrls }),
      simulatorUrl: simulator.url,
      close: () => simulator.close(),
    };
  }
  const providers = createProviders({
    catalogue,
    keys: defined({
      openai: settings.OPENAI_API_KEY,
      anthropic: settings.ANTHROPIC_API_KEY,
      google: settings.GEMINI_API_KEY,
      xai: settings.XAI_API_KEY,
    }),
    baseUrls: defined({
      openai: settings.OPENAI_BASE_URL,
      anthropic: settings.ANTHROPIC_BASE_URL,
      google: settings.GEMINI_BASE_URL,
      xai: settings.XAI_BASE_URL,
    }),
  });
  return { providers, simulatorUrl: null, close: () => Promise.resolve() };
}

function defined<Name extends string>(
  values: Readonly<Record<Name, string | undefined>>,
): Partial<Record<Name, string>> {
  const set: Partial<Record<Name, string>> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) set[name] = value;
  }
  return set;
}
