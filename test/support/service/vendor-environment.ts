import type { Simulator } from '../../../simulator/simulator.js';

type HouseKeys = Readonly<Record<'openai' | 'anthropic' | 'google' | 'xai', string>>;

const testKeys: HouseKeys = {
  openai: 'test-openai-key',
  anthropic: 'test-anthropic-key',
  google: 'test-gemini-key',
  xai: 'test-xai-key',
};

/**
 * The environment of a process that calls the simulator as if it were the live vendors, with the house's
 * keys.
 */
export function vendorEnvironment(baseUrls: Simulator['baseUrls'], keys = testKeys): NodeJS.ProcessEnv {
  return {
    COUNCIL_PROVIDERS: 'live',
    OPENAI_API_KEY: keys.openai,
    ANTHROPIC_API_KEY: keys.anthropic,
    GEMINI_API_KEY: keys.google,
    XAI_API_KEY: keys.xai,
    OPENAI_BASE_URL: baseUrls.openai,
    ANTHROPIC_BASE_URL: baseUrls.anthropic,
    GEMINI_BASE_URL: baseUrls.google,
    XAI_BASE_URL: baseUrls.xai,
    OPENROUTER_BASE_URL: baseUrls.openrouter,
  };
}
