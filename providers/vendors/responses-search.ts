import { APIError, type OpenAI } from 'openai';
import type { SearchAnswer, SearchQuestion } from '../model-provider.js';
import { namesBlockList, sendWithBlockList } from './block-list.js';
import type { NewerResponseRequest, NewerWebSearchTool } from './newer-fields.js';
import { type ResponsesCitationStyle, readResponse } from './responses-answer.js';

/** The differences between vendors that implement OpenAI's `/v1/responses` with a web search. */
export interface ResponsesDialect {
  /** The most blocked hosts that one request may name. */
  readonly blockedHostsMax: number;
  readonly citationStyle: ResponsesCitationStyle;
  tool(blockedHosts: readonly string[]): NewerWebSearchTool;
  /** Request fields besides those that both vendors have. */
  extraFields(question: SearchQuestion): Partial<NewerResponseRequest>;
}

/**
 * Searches with `/v1/responses`. Chat completions, which opinions use, has no search with a list of blocked hosts. At
 * most two requests, see {@link sendWithBlockList}.
 */
export async function searchWithResponses(
  client: OpenAI,
  modelId: string,
  question: SearchQuestion,
  dialect: ResponsesDialect,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const options = { signal, timeout: question.timeoutMs, maxRetries: 0 };
  const { body, blockList } = await sendWithBlockList(
    question.blockedHosts.slice(0, dialect.blockedHostsMax),
    async (hosts): Promise<unknown> => {
      const request = requestOf(question, modelId, dialect, hosts);
      // The SDK's own reading of the body throws a TypeError if the body is not an object.
      const response = await client.responses.create(request, options).asResponse();
      return response.json();
    },
    error => error instanceof APIError && namesBlockList(error.status, [error.message, error.error]),
  );
  return { ...readResponse(body, modelId, dialect.citationStyle), blockList };
}

function requestOf(
  question: SearchQuestion,
  modelId: string,
  dialect: ResponsesDialect,
  hosts: readonly string[],
): NewerResponseRequest {
  return {
    model: modelId,
    input: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
    tools: [dialect.tool(hosts)],
    max_output_tokens: question.maxOutputTokens,
    // Otherwise the vendor keeps the conversation for a month.
    store: false,
    ...(question.effort === null ? {} : { reasoning: { effort: question.effort } }),
    ...dialect.extraFields(question),
  };
}

export const openAiResponses: ResponsesDialect = {
  blockedHostsMax: 100,
  citationStyle: 'ranges',
  tool: hosts => ({
    type: 'web_search',
    search_context_size: 'medium',
    ...(hosts.length === 0 ? {} : { filters: { blocked_domains: hosts } }),
  }),
  extraFields: question => ({
    // Otherwise the model may answer from memory.
    tool_choice: 'required',
    max_tool_calls: question.maxSearches,
    include: ['web_search_call.action.sources'],
  }),
};

/**
 * xAI takes the same request without OpenAI's options. Its `x_search` is not requested: posts are full of quoted odds.
 */
export const xaiResponses: ResponsesDialect = {
  blockedHostsMax: 5,
  citationStyle: 'numbered links',
  tool: hosts => ({
    type: 'web_search',
    ...(hosts.length === 0 ? {} : { filters: { excluded_domains: hosts } }),
  }),
  extraFields: () => ({}),
};
