import type { Vendor } from '../../../council/models.js';
import { vendorEnvironment } from '../../../providers/vendor-settings.js';
import type { Simulator } from '../../../simulator/simulator.js';

const testKeys: Readonly<Record<Vendor, string>> = {
  openai: 'test-openai-key',
  anthropic: 'test-anthropic-key',
  google: 'test-gemini-key',
  xai: 'test-xai-key',
};

/**
 * The environment of a process that calls the simulator as if it were the live vendors, with the house's
 * keys.
 */
export function liveVendors(baseUrls: Simulator['baseUrls'], keys = testKeys): NodeJS.ProcessEnv {
  return { COUNCIL_PROVIDERS: 'live', ...vendorEnvironment(keys, baseUrls) };
}
