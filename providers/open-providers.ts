import { type CouncilModel, vendors } from '../council/models.js';
import { type Simulator, simulatedBaseUrls, startSimulator } from '../simulator/simulator.js';
import { createProviders, type ProviderKeys } from './create-providers.js';
import type { ModelCatalogue } from './model-catalogue.js';
import type { ModelProvider } from './model-provider.js';
import { serviceBaseUrls, serviceKeys, type VendorEnvironment } from './vendor-settings.js';

/** The settings that select the models and their endpoints. */
export interface ProviderEnvironment extends VendorEnvironment {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
  /** The simulator of all processes. Default: each process starts its own. */
  readonly SIMULATOR_URL?: string | undefined;
}

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
      providers: providersWith(Object.fromEntries(vendors.map(vendor => [vendor, 'simulated']))),
      providersWith,
      simulatorUrl: simulator.url,
      close: () => simulator.close(),
    };
  }
  const baseUrls = serviceBaseUrls(settings);
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
