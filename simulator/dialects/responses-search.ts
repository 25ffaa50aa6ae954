import { createHash } from 'node:crypto';
import { z } from 'zod';
import { efforts } from '../../providers/answer-limits.js';
import { type CitedRange, charactersIn, writeCitedText } from '../search/cited-text.js';
import type { SimulatedSearch } from '../search/findings.js';
import {
  BadRequest,
  type CacheUse,
  type SearchRequest,
  tokensIn,
  tokensPerSearch,
  type WireReply,
} from './dialect.js';

/** The Responses API of OpenAI and xAI, as far as a web search needs it. */
export type ResponsesVendor = 'openai' | 'xai';

/** @throws ZodError if the vendor would respond with 400. */
export function readResponsesRequest(body: unknown, vendor: ResponsesVendor): SearchRequest {
  const request = vendor === 'openai' ? readOpenAi(body) : readXai(body);
  const { input, instructions, reasoning } = request;
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const textOf = (user: boolean) => messages.filter(({ role }) => (role === 'user') === user).map(contentOf);
  const system = [...(instructions === undefined ? [] : [instructions]), ...textOf(false)].join('\n');
  const user = textOf(true).join('\n');
  return {
    kind: 'search',
    modelId: request.model,
    system,
    user,
    // OpenAI stores up to the last message without another wish.
    caching: { vendor, settings: [request.tools, reasoning], marks: [system.length + user.length] },
    limits: {
      maxOutputTokens: request.max_output_tokens,
      effort: reasoning?.effort ?? null,
      thinkingBudgetTokens: null,
    },
    blockedHosts: request.blockedHosts,
    maxSearches: request.maxSearches,
    continues: false,
  };
}

const messageShape = z.strictObject({
  role: z.enum(['system', 'developer', 'user']),
  content: z.union([
    z.string(),
    z.array(z.strictObject({ type: z.literal('input_text'), text: z.string() })).min(1),
  ]),
});

function contentOf({ content }: { readonly content: z.infer<typeof messageShape>['content'] }): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

const toolChoice = z.union([z.enum(['auto', 'required']), z.strictObject({ type: z.literal('web_search') })]);

/** The vendors reject a field that they do not know. */
const commonFields = {
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(messageShape).min(1)]),
  instructions: z.string().optional(),
  tool_choice: toolChoice.optional(),
  store: z.boolean().optional(),
  max_output_tokens: z.int().min(16),
};

/** A host without scheme and path. */
const host = z.string().regex(/^(?!.*:)[\w-]+(\.[\w-]+)+$/);

const openAiShape = z.strictObject({
  ...commonFields,
  // OpenAI has no web search at the lowest effort.
  reasoning: z.strictObject({ effort: z.enum(efforts).exclude(['minimal']) }).optional(),
  max_tool_calls: z.int().positive().optional(),
  include: z.array(z.enum(['web_search_call.action.sources', 'web_search_call.results'])).optional(),
  tools: z.tuple([
    z.strictObject({
      type: z.literal('web_search'),
      search_context_size: z.enum(['low', 'medium', 'high']).optional(),
      external_web_access: z.boolean().optional(),
      filters: z
        .strictObject({
          allowed_domains: z.array(host).max(100).optional(),
          blocked_domains: z.array(host).max(100).optional(),
        })
        .optional(),
    }),
  ]),
});

function readOpenAi(body: unknown) {
  const request = openAiShape.parse(body);
  const [{ filters }] = request.tools;
  return {
    ...request,
    blockedHosts: filters?.blocked_domains ?? [],
    maxSearches: request.max_tool_calls ?? null,
  };
}

const xaiDomains = z.array(host).max(5).optional();

const xaiShape = z.strictObject({
  ...commonFields,
  reasoning: z.strictObject({ effort: z.enum(['none', 'low', 'medium', 'high']) }).optional(),
  max_turns: z.int().positive().optional(),
  include: z.array(z.literal('web_search_call.action.sources')).optional(),
  tools: z.tuple([
    z.strictObject({
      type: z.literal('web_search'),
      filters: z.strictObject({ allowed_domains: xaiDomains, excluded_domains: xaiDomains }).optional(),
    }),
  ]),
});

function readXai(body: unknown) {
  const request = xaiShape.parse(body);
  const [{ filters }] = request.tools;
  if (filters?.allowed_domains !== undefined && filters.excluded_domains !== undefined) {
    throw new BadRequest('allowed_domains and excluded_domains exclude each other');
  }
  return {
    ...request,
    blockedHosts: filters?.excluded_domains ?? [],
    maxSearches: request.max_turns ?? null,
  };
}

export function replyOfResponses(
  request: SearchRequest,
  answer: SimulatedSearch,
  vendor: ResponsesVendor,
  { readTokens, writtenTokens }: CacheUse,
): WireReply {
  const cited = writeCitedText(vendor, answer);
  const failed = answer.ending === 'truncated' || answer.ending === 'filtered';
  const inputTokens = tokensIn(request.system, request.user) + tokensPerSearch * answer.queries.length;
  const outputTokens = tokensIn(answer.ending === 'refused' ? refusal : cited.text);
  const body = {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 0,
    status: failed ? 'incomplete' : 'completed',
    model: request.modelId,
    error: null,
    incomplete_details: failed ? { reason: incompleteReasons[answer.ending] } : null,
    output: [
      { type: 'reasoning', id: idOf('rs', answer.id), summary: [] },
      ...searchCalls(answer),
      ...messagesOf(answer, cited, vendor),
    ],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: {
        cached_tokens: readTokens,
        ...(vendor === 'openai' ? { cache_write_tokens: writtenTokens } : {}),
      },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
      ...(vendor === 'xai' ? xaiUsage(answer) : {}),
    },
    ...(vendor === 'xai' ? { citations: urlsOf(answer) } : {}),
  };
  return { status: 200, body };
}

/** The model generates this text, so its tokens are billed. */
const refusal = 'Simulated refusal.';

const incompleteReasons = { truncated: 'max_output_tokens', filtered: 'content_filter' } as const;

/** Each search, and one page that was opened, which carries no fee. */
function searchCalls(answer: SimulatedSearch): unknown[] {
  const urls = urlsOf(answer);
  const status = answer.toolError === null ? 'completed' : 'failed';
  const sources = urls.map(url => ({ type: 'url', url }));
  const actions = [
    ...answer.queries.map(query => ({ type: 'search', query, queries: [query], sources })),
    ...urls.slice(0, 1).map(url => ({ type: 'open_page', url })),
  ];
  return actions.map((action, index) => ({
    type: 'web_search_call',
    id: idOf('ws', `${answer.id} ${index}`),
    status,
    action,
  }));
}

function messagesOf(
  { id, ending }: SimulatedSearch,
  { text, citations }: ReturnType<typeof writeCitedText>,
  vendor: ResponsesVendor,
): unknown[] {
  const message = { type: 'message', id: idOf('msg', id), role: 'assistant' };
  if (ending === 'refused') {
    return [{ ...message, status: 'completed', content: [{ type: 'refusal', refusal }] }];
  }
  if (text === '') return [];
  const annotations = citations.map((citation, index) => annotationOf(citation, index, text, vendor));
  const status = ending === 'complete' ? 'completed' : 'incomplete';
  return [{ ...message, status, content: [{ type: 'output_text', text, annotations, logprobs: [] }] }];
}

/** xAI's titles are the ordinals of its markers. */
function annotationOf(
  { start, end, page: { url, title } }: CitedRange,
  index: number,
  text: string,
  vendor: ResponsesVendor,
): unknown {
  const shownTitle = vendor === 'xai' ? String(index + 1) : title;
  return {
    type: 'url_citation',
    start_index: charactersIn(text.slice(0, start)),
    end_index: charactersIn(text.slice(0, end)),
    ...(url === null ? {} : { url }),
    ...(shownTitle === null ? {} : { title: shownTitle }),
  };
}

function urlsOf({ statements }: SimulatedSearch): string[] {
  return [...new Set(statements.flatMap(({ page }) => page?.url ?? []))];
}

/** 10^10 ticks are one dollar. The price of a search only. */
function xaiUsage(answer: SimulatedSearch) {
  const searches = answer.toolError === null ? answer.queries.length : 0;
  return {
    num_sources_used: urlsOf(answer).length,
    num_server_side_tools_used: searches,
    server_side_tool_usage_details: { web_search_calls: searches, x_search_calls: 0 },
    cost_in_usd_ticks: searches * 50_000_000,
  };
}

function idOf(prefix: string, seed: string): string {
  return `${prefix}_${createHash('sha256').update(`${prefix} ${seed}`).digest('hex').slice(0, 24)}`;
}
