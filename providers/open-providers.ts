import type { CouncilModel } from '../council/models.js';
import { createProviders, type ProviderKeys } from './create-providers.js';
import type { ModelCatalogue } from './model-catalogue.js';
import type { ModelProvider } from './model-provider.js';
import { startSimulator } from './simulator/simulator.js';

/** The part of the settings that says which models are asked, and where. */
export type ProviderEnvironment = {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
} & { readonly [Name in KeyName | AddressName]?: string | undefined };

type KeyName = 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | 'GEMINI_API_KEY' | 'XAI_API_KEY';
type AddressName =
  | 'OPENAI_BASE_URL'
  | 'ANTHROPIC_BASE_URL'
  | 'GEMINI_BASE_URL'
  | 'XAI_BASE_URL'
  | 'OPENROUTER_BASE_URL';

export interface OpenProviders {
  /** Asked with the house's keys. */
  readonly providers: Readonly<Record<CouncilModel, ModelProvider>>;
  /** The same models at the same addresses, asked with these keys and with none of the house's. */
  readonly providersWith: (keys: ProviderKeys) => Readonly<Record<CouncilModel, ModelProvider>>;
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
    const providersWith = (keys: ProviderKeys) =>
      createProviders({ catalogue, keys, baseUrls: simulator.baseUrls });
    return {
      providers: providersWith({
        openai: 'simulated',
        anthropic: 'simulated',
        google: 'simulated',
        xai: 'simulated',
      }),
      providersWith,
      simulatorUrl: simulator.url,
      close: () => simulator.close(),
    };
  }
  const baseUrls = defined({
    openai: settings.OPENAI_BASE_URL,
    anthropic: settings.ANTHROPIC_BASE_URL,
    google: settings.GEMINI_BASE_URL,
    xai: settings.XAI_BASE_URL,
    openrouter: settings.OPENROUTER_BASE_URL,
  });
  const providersWith = (keys: ProviderKeys) => createProviders({ catalogue, keys, baseUrls });
  return {
    providers: providersWith(houseKeys(settings)),
    providersWith,
    simulatorUrl: null,
    close: () => Promise.resolve(),
  };
}

/** None for OpenRouter: the house asks the vendors themselves. */
function houseKeys(settings: ProviderEnvironment): ProviderKeys {
  return defined({
    openai: settings.OPENAI_API_KEY,
    anthropic: settings.ANTHROPIC_API_KEY,
    google: settings.GEMINI_API_KEY,
    xai: settings.XAI_API_KEY,
  });
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
