import type { RequestListener } from 'node:http';
import type { Adapter } from '../../catalogue.js';
import { json, type startRawServer, useRawServers } from '../raw-server.js';

/**
 * Starts servers that replace all vendors, send these answers in turn (the last one again) and keep the requests. Each is
 * closed after its test.
 */
export function useSearchServers() {
  const start = useRawServers();
  return (...answers: readonly RequestListener[]) => keepRequests(start, answers);
}

async function keepRequests(start: typeof startRawServer, answers: readonly RequestListener[]) {
  const bodies: any[] = [];
  const paths: (string | undefined)[] = [];
  const server = await start((request, response) => {
    const answer = answers[Math.min(paths.length, answers.length - 1)];
    paths.push(request.url);
    let body = '';
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      answer?.(request, response);
    });
  });
  return { ...server, bodies, paths };
}

export const searchUse = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'chess' },
};

/** What each vendor answers to a search, with one statement that is cited to one page. */
export const findings: Readonly<Record<Adapter, any>> = {
  gpt: response('Ada leads ([apnews.com](https://apnews.com/a)).', [
    { type: 'url_citation', start_index: 10, end_index: 46, url: 'https://apnews.com/a', title: 'Chess' },
  ]),
  grok: response('Ada leads [[1]](https://apnews.com/a).', [
    { type: 'url_citation', start_index: 0, end_index: 0, url: 'https://apnews.com/a', title: 'Chess' },
  ]),
  claude: {
    model: 'claude-x',
    stop_reason: 'end_turn',
    content: [
      searchUse,
      results({ url: 'https://apnews.com/a', title: 'Chess', page_age: 'November 20, 2026' }),
      { type: 'text', text: 'Ada leads', citations: [location('https://apnews.com/a', 'Chess')] },
      { type: 'text', text: '.', citations: null },
    ],
    usage: messageUsage(1),
  },
  gemini: {
    modelVersion: 'gemini-x',
    candidates: [
      {
        finishReason: 'STOP',
        content: { role: 'model', parts: [{ text: 'Ada leads.' }] },
        groundingMetadata: {
          webSearchQueries: ['chess'],
          groundingChunks: [{ web: { uri: 'https://apnews.com/a', title: 'Chess' } }],
          groundingSupports: [{ segment: { endIndex: 9 }, groundingChunkIndices: [0] }],
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: 4,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 3,
    },
  },
  openrouter: chat('Ada leads [Chess](https://apnews.com/a).', [
    { type: 'url_citation', url_citation: { url: 'https://apnews.com/a', title: 'Chess' } },
  ]),
};

export const found = { inputTokens: 9, outputTokens: 5, searches: 1 };

/** A response of `/v1/responses` with one message. */
export function response(text: string, annotations: readonly (object | null)[], changes: object = {}) {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-x',
    incomplete_details: null,
    error: null,
    output: [searchCall('search'), messageItem({ type: 'output_text', text, annotations })],
    usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
    ...changes,
  };
}

export function searchCall(type: string | null, sources: readonly string[] = []) {
  const action = type === null ? undefined : { type, sources: sources.map(url => ({ type: 'url', url })) };
  return { type: 'web_search_call', id: 'ws_1', status: 'completed', action };
}

export function messageItem(...content: readonly object[]) {
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

/** Anthropic's answer, in one or more blocks. */
export function message(content: readonly object[], stop_reason: string, searches = 1) {
  return { model: 'claude-x', stop_reason, content, usage: messageUsage(searches) };
}

function messageUsage(web_search_requests: number) {
  return {
    input_tokens: 9,
    output_tokens: 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: null,
    server_tool_use: { web_search_requests, web_fetch_requests: 0 },
  };
}

export function results(...pages: readonly object[]) {
  const content = pages.map(page => ({ type: 'web_search_result', encrypted_content: 'x', ...page }));
  return { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content };
}

export function failedSearch(error_code: string) {
  const content = { type: 'web_search_tool_result_error', error_code };
  return { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content };
}

export function location(url: string | undefined, title: string | null) {
  return { type: 'web_search_result_location', url, title, cited_text: 'x', encrypted_index: 'x' };
}

/** OpenRouter's answer. */
export function chat(content: string, annotations: readonly object[], usage: object = {}) {
  return {
    model: 'openrouter-x',
    choices: [{ message: { role: 'assistant', content, annotations }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 9,
      completion_tokens: 5,
      total_tokens: 14,
      server_tool_use: { web_search_requests: 1 },
      ...usage,
    },
  };
}

export const ok = (body: unknown) => json(200, body);
