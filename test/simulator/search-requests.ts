import { z } from 'zod';
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
export function searchBody(vendor: SearchVendor, hosts: readonly string[] = blockedHosts): Body {
  return bodies[vendor](hosts);
}

const messages = [
  { role: 'system', content: 'SYS' },
  { role: 'user', content: searchPrompt },
];

function listed(name: string, hosts: readonly string[]): Body {
  return hosts.length === 0 ? {} : { [name]: hosts };
}

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
    tools: [
      {
        type: 'openrouter:web_search',
        parameters: {
          engine: 'exa',
          max_results: 5,
          max_total_results: 20,
          ...listed('excluded_domains', hosts),
        },
      },
    ],
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

/** What a citation covers in the text, read by the vendor's own rules. */
export interface ReadCitation {
  readonly covers: string;
  readonly url: string | undefined;
}

/** The prose and the citations of an answer, without the adapters. */
export function readFound(
  vendor: SearchVendor,
  body: string,
): { text: string; citations: readonly ReadCitation[] } {
  return readers[vendor](JSON.parse(body));
}

const annotation = z.object({
  url: z.string().optional(),
  title: z.string().optional(),
  start_index: z.int(),
  end_index: z.int(),
});

function atCharacters(text: string, annotations: readonly z.infer<typeof annotation>[]): ReadCitation[] {
  return annotations.map(({ start_index: start, end_index: end, url }) => ({
    covers: Array.from(text).slice(start, end).join(''),
    url,
  }));
}

const responsesShape = z.object({
  output: z.array(
    z.object({
      type: z.string(),
      content: z.array(z.object({ text: z.string(), annotations: z.array(annotation) })).optional(),
    }),
  ),
});

function readResponses(body: unknown) {
  const part = responsesShape.parse(body).output.find(({ type }) => type === 'message')?.content?.[0];
  const text = part?.text ?? '';
  return { text, citations: atCharacters(text, part?.annotations ?? []) };
}

const messageShape = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      citations: z.array(z.object({ url: z.string().optional() })).nullish(),
    }),
  ),
});

const chatShape = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.string(),
        annotations: z.array(z.object({ url_citation: annotation })).default([]),
      }),
    }),
  ),
});

const groundedShape = z.object({
  candidates: z.array(
    z.object({
      content: z.object({ parts: z.array(z.object({ text: z.string() })) }),
      groundingMetadata: z
        .object({
          groundingChunks: z.array(z.object({ web: z.object({ uri: z.string() }) })).default([]),
          groundingSupports: z
            .array(
              z.object({
                segment: z.object({ startIndex: z.int().default(0), endIndex: z.int() }),
                groundingChunkIndices: z.array(z.int()),
              }),
            )
            .default([]),
        })
        .optional(),
    }),
  ),
});

const readers: Readonly<Record<SearchVendor, (body: unknown) => ReturnType<typeof readFound>>> = {
  openai: readResponses,
  xai: readResponses,
  anthropic: body => {
    const blocks = messageShape.parse(body).content.filter(({ type }) => type === 'text');
    return {
      text: blocks.map(({ text }) => text).join(''),
      citations: blocks.flatMap(({ text = '', citations }) =>
        (citations ?? []).map(({ url }) => ({ covers: text, url })),
      ),
    };
  },
  google: body => {
    const [candidate] = groundedShape.parse(body).candidates;
    const text = candidate?.content.parts.map(part => part.text).join('') ?? '';
    const { groundingChunks = [], groundingSupports = [] } = candidate?.groundingMetadata ?? {};
    const citations = groundingSupports.flatMap(({ segment, groundingChunkIndices }) =>
      groundingChunkIndices.map(index => ({
        covers: Buffer.from(text).subarray(segment.startIndex, segment.endIndex).toString(),
        url: groundingChunks[index]?.web.uri,
      })),
    );
    return { text, citations };
  },
  openrouter: body => {
    const message = chatShape.parse(body).choices[0]?.message;
    const text = message?.content ?? '';
    const annotations = message?.annotations.map(({ url_citation: citation }) => citation) ?? [];
    return { text, citations: atCharacters(text, annotations) };
  },
};
