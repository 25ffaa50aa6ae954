import { z } from 'zod';
import { charactersIn, writeCitedText } from '../search/cited-text.js';
import type { SimulatedSearch } from '../search/findings.js';
import { type CacheUse, type SearchRequest, tokensPerSearch, type WireReply } from './dialect.js';
import { replyOfChat } from './openai-dialect.js';

/** OpenRouter's web search for any model. Its two lists exclude each other; it ignores the second for some models. */
export const openRouterSearchTools = z.tuple([
  z.strictObject({
    type: z.literal('openrouter:web_search'),
    parameters: z
      .strictObject({
        engine: z.enum(['auto', 'native', 'exa', 'firecrawl', 'parallel']).optional(),
        max_results: z.int().min(1).max(25).optional(),
        max_total_results: z.int().positive().optional(),
        max_uses: z.int().positive().optional(),
        search_context_size: z.enum(['low', 'medium', 'high']).optional(),
        allowed_domains: z.array(z.string().min(1)).optional(),
        excluded_domains: z.array(z.string().min(1)).optional(),
      })
      .refine(({ allowed_domains: allowed, excluded_domains: excluded }) => !allowed || !excluded, {
        message: 'allowed_domains cannot be used with excluded_domains',
      })
      .optional(),
  }),
]);

/** A chat completion whose message has the citations as annotations. */
export function annotatedChat(request: SearchRequest, answer: SimulatedSearch, cache: CacheUse): WireReply {
  const { text, citations } = writeCitedText('openrouter', answer);
  const { id, ending, toolError, queries } = answer;
  const annotations = citations.map(({ start, end, statement: content, page: { url, title } }) => ({
    type: 'url_citation',
    url_citation: {
      ...(url === null ? {} : { url }),
      ...(title === null ? {} : { title }),
      content,
      start_index: charactersIn(text.slice(0, start)),
      end_index: charactersIn(text.slice(0, end)),
    },
  }));
  return replyOfChat(request, { id, text, ending: ending === 'paused' ? 'complete' : ending }, cache, {
    message: annotations.length === 0 ? {} : { annotations },
    inputTokens: tokensPerSearch * queries.length,
    usage: { server_tool_use: { web_search_requests: toolError === null ? queries.length : 0 } },
  });
}
