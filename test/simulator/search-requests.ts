import type { Simulator } from '../../simulator/simulator.js';

/** The APIs that search, with the member that answers there. */
export const searchVendors = ['openai', 'xai', 'anthropic', 'google', 'openrouter'] as const;

export type SearchVendor = (typeof searchVendors)[number];

export const blockedHosts = ['polymarket.com', 'kalshi.com'];

export const searchPrompt =
  'It is 2026-11-20 08:30 UTC. Trading is meant to end at 2026-12-01 00:00 UTC: 10 days left.\n\n' +
  '<<<BEGIN EVENT>>>\nTitle: Who will win the 2027 chess candidates?\nRules:\nBy the list.\n<<<END EVENT>>>\n\n' +
  'Search the web.';

type Body = Readonly<Record<string, unknown>>;

/** A search as the vendor documents it: the tool with its list of blocked hosts if there are any, and no schema. */
export const searchBody = (vendor: SearchVendor, hosts: readonly string[] = blockedHosts) =>
  bodies[vendor](hosts);

const messages = [
  { role: 'system', content: 'SYS' },
  { role: 'user', content: searchPrompt },
];

const exa = { engine: 'exa', max_results: 5, max_total_results: 20 };

const listed = (name: string, hosts: readonly string[]): Body =>
  hosts.length === 0 ? {} : { [name]: hosts };

const bodies: Readonly<Record<SearchVendor, (hosts: readonly string[]) => Body>> = {
  openai: hosts => ({
    model: 'gpt-6.1-sol',
    input: messages,
    tools: [{ type: 'web_search', search_context_size: 'medium', filters: listed('blocked_domains', hosts) }],
    tool_choice: 'required',
    max_tool_calls: 4,
    include: ['web_search_call.action.sources'],
    max_output_tokens: 6_000,
    store: false,
    reasoning: { effort: 'low' },
  }),
  xai: hosts => ({
    model: 'grok-4.7',
    input: messages,
    tools: [{ type: 'web_search', filters: listed('excluded_domains', hosts) }],
    max_output_tokens: 6_000,
    store: false,
    reasoning: { effort: 'low' },
  }),
  anthropic: hosts => ({
    model: 'claude-opus-5-5',
    max_tokens: 6_000,
    system: 'SYS',
    messages: [{ role: 'user', content: searchPrompt }],
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' },
    tools: [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 4, ...listed('blocked_domains', hosts) },
    ],
  }),
  google: () => ({
    generationConfig: { maxOutputTokens: 6_000, thinkingConfig: { thinkingLevel: 'LOW' } },
    safetySettings: [],
    systemInstruction: { role: 'system', parts: [{ text: 'SYS' }] },
    contents: [{ role: 'user', parts: [{ text: searchPrompt }] }],
    tools: [{ googleSearch: {} }],
  }),
  openrouter: hosts => ({
    model: 'openai/gpt-6.1-sol',
    messages,
    tools: [{ type: 'openrouter:web_search', parameters: { ...exa, ...listed('excluded_domains', hosts) } }],
    max_tokens: 6_000,
    reasoning: { effort: 'low' },
    provider: { require_parameters: true },
  }),
};

const paths: Readonly<Record<SearchVendor, string>> = {
  openai: '/openai/v1/responses',
  xai: '/xai/v1/responses',
  anthropic: '/anthropic/v1/messages',
  google: '/google/v1beta/models/gemini-3.1-pro-preview:generateContent',
  openrouter: '/openrouter/api/v1/chat/completions',
};

export async function sendSearch(
  { url }: Pick<Simulator, 'url'>,
  vendor: SearchVendor,
  body: unknown = searchBody(vendor),
): Promise<{ status: number; text: string }> {
  const headers = { authorization: 'Bearer k', 'x-api-key': 'k', 'x-goog-api-key': 'k' };
  const response = await fetch(url + paths[vendor], { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}
