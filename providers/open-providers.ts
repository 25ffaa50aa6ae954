import type { CouncilModel } from '../council/models.js';
import { type Simulator, simulatedBaseUrls, startSimulator } from '../simulator/simulator.js';
import { createProviders, type ProviderKeys } from './create-providers.js';
import type { ModelCatalogue } from './model-catalogue.js';
import type { ModelProvider } from './model-provider.js';

/** The settings that select the models and their endpoints. */
export type ProviderEnvironment = {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
  /** The simulator of all processes. Default: each process starts its own. */
  readonly SIMULATOR_URL?: string | undefined;
} & { readonly [Name in KeyName | AddressName]?: string | undefined };

type KeyName = 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | 'GEMINI_API_KEY' | 'XAI_API_KEY';
type AddressName =
  | 'OPENAI_BASE_URL'
  | 'ANTHROPIC_BASE_URL'
  | 'GEMINI_BASE_URL'
  | 'XAI_BASE_URL'
  | 'OPENROUTER_BASE_URL';

export interface OpenProviders {
  /** The providers that are called with the service's own keys. */
  readonly providers: Readonly<Record<CouncilModel, ModelProvider>>;
  /** The same models at the same endpoints, called only with the given keys. */
  readonly providersWith: (keys: ProviderKeys) => Readonly<Record<CouncilModel, ModelProvider>>;
  /** Base URL of the simulator, where faults can be configured; null with live models. */
  readonly simulatorUrl: string | null;
  readonly close: () => Promise<void>;
}

/** Long enough to watch the stages, short enough to wait for. */
export const simulatedLatencyMs = { min: 400, max: 1_500 };

/** Opens the configured models: the vendors' or the simulator's. Both use the same adapters. */
export async function openProviders(
  settings: ProviderEnvironment,
  catalogue: ModelCatalogue,
): Promise<OpenProviders> {
  if (settings.COUNCIL_PROVIDERS === 'simulated') {
    const simulator = await openSimulator(settings.SIMULATOR_URL);
    const providersWith = (keys: ProviderKeys) =>
      createProviders({ catalogue, keys, baseUrls: simulatedBaseUrls(simulator.url) });
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
    providers: providersWith(serviceKeys(settings)),
    providersWith,
    simulatorUrl: null,
    close: () => Promise.resolve(),
  };
}

/** One that runs elsewhere stays open: others use it. */
async function openSimulator(url: string | undefined): Promise<Pick<Simulator, 'url' | 'close'>> {
  return url === undefined
    ? startSimulator({ latencyMs: simulatedLatencyMs })
    : { url, close: () => Promise.resolve() };
}

/** OpenRouter is not among them: the service calls the vendors directly with its own keys. */
function serviceKeys(settings: ProviderEnvironment): ProviderKeys {
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
