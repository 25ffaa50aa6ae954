import { APIError, type OpenAI } from 'openai';
import { z } from 'zod';
import type { Citation } from '../../council/evidence/research.js';
import type { SearchAnswer, SearchQuestion } from '../model-provider.js';
import { namesBlockList, sendWithBlockList } from './block-list.js';
import type { ChatFields } from './chat-dialect.js';
import { withBilled } from './failures.js';
import { errorIn, readOpenRouterAnswer, readOpenRouterError } from './openrouter-answer.js';
import { markdownLinks, markerAt, readUrlCitations, type VendorCitation } from './url-citations.js';

interface OpenRouterSearch {
  readonly modelId: string;
  readonly question: SearchQuestion;
  /** The limits of the answer and the routing, as in a question. */
  readonly fields: ChatFields;
  readonly billsCacheWrites: boolean;
}

/**
 * Searches with OpenRouter's server tool, for any model. OpenRouter makes the searches between the turns of the model and
 * sends one chat completion. At most two requests, see {@link sendWithBlockList}.
 */
export async function searchWithOpenRouter(
  client: OpenAI,
  search: OpenRouterSearch,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const options = { signal, timeout: search.question.timeoutMs, maxRetries: 0 };
  const { body, blockList } = await sendWithBlockList(
    search.question.blockedHosts.slice(0, blockedHostsMax),
    async hosts => {
      // The SDK's method for chat completions has no type for server tools.
      const answer = await client.post<unknown>('/chat/completions', {
        body: requestOf(search, hosts),
        ...options,
      });
      // A model's host can refuse the list after OpenRouter has answered with status 200.
      if (hosts.length > 0 && refusesInBody(answer)) throw new RefusedInBody();
      return answer;
    },
    error => error instanceof RefusedInBody || isRefusal(error),
  );
  return { ...readSearch(body, search.modelId), blockList };
}

class RefusedInBody extends Error {}

function refusesInBody(body: unknown): boolean {
  const error = errorIn(body);
  return error !== null && namesBlockList(readOpenRouterError(error).status, error);
}

function isRefusal(error: unknown): boolean {
  return error instanceof APIError && namesBlockList(error.status, [error.message, error.error]);
}

const blockedHostsMax = 100;
const resultsPerSearch = 5;

function requestOf(
  { modelId, question, fields, billsCacheWrites }: OpenRouterSearch,
  hosts: readonly string[],
) {
  return {
    model: modelId,
    messages: [
      { role: 'system', content: question.system },
      {
        role: 'user',
        content: billsCacheWrites && isAnthropic(modelId) ? [marked(question.user)] : question.user,
      },
    ],
    tools: [
      {
        type: 'openrouter:web_search',
        parameters: {
          engine: engineOf(modelId),
          max_results: resultsPerSearch,
          // The only limit on the number of searches.
          max_total_results: resultsPerSearch * question.maxSearches,
          ...(hosts.length === 0 ? {} : { excluded_domains: hosts }),
        },
      },
    ],
    ...fields,
  };
}

/**
 * The vendor's own search only where it takes the whole list of blocked hosts. With OpenAI's, OpenRouter ignores the
 * list; xAI takes five hosts and searches posts as well, which are full of quoted odds; Google takes no list.
 */
function engineOf(modelId: string): 'native' | 'exa' {
  return isAnthropic(modelId) ? 'native' : 'exa';
}

function isAnthropic(modelId: string): boolean {
  return modelId.startsWith('anthropic/');
}

/** As in a search at Anthropic itself: it reads prompt and results again after each search. */
function marked(text: string) {
  return { type: 'text', text, cache_control: { type: 'ephemeral' } };
}

const annotationShape = z
  .object({ url_citation: z.unknown() })
  .transform(annotation => annotation.url_citation);

const searchShape = z
  .object({
    choices: z
      .array(z.object({ message: z.object({ annotations: z.array(z.unknown()).nullish() }).optional() }))
      .catch([]),
    usage: z
      .object({
        server_tool_use: z.object({ web_search_requests: z.int().nonnegative().nullish() }).nullish(),
      })
      .nullish()
      .catch(null),
  })
  .catch({ choices: [], usage: null });

function readSearch(body: unknown, modelId: string): Omit<SearchAnswer, 'blockList'> {
  const { choices, usage } = searchShape.parse(body);
  const annotations = (choices[0]?.message?.annotations ?? []).map(
    annotation => annotationShape.safeParse(annotation).data,
  );
  // If there is no count, pages show that there was a search.
  const searches = usage?.server_tool_use?.web_search_requests ?? (annotations.length > 0 ? 1 : 0);
  try {
    const answer = readOpenRouterAnswer(body, modelId);
    return { ...answer, citations: citationsOf(answer.text, annotations), searches };
  } catch (error) {
    if (searches === 0) throw error;
    throw withBilled(error, { modelId, inputTokens: 0, outputTokens: 0, searches });
  }
}

/**
 * OpenRouter passes on what the vendor behind it sends: the range of a link, the range of a statement, or no range. In
 * the last case, the model has linked the page in its text, or has not used it.
 */
function citationsOf(text: string, annotations: readonly unknown[]): readonly Citation[] {
  const links = markdownLinks(text);
  return readUrlCitations(annotations, text, 0).flatMap(page =>
    page.range === null
      ? links.filter(({ url }) => url === page.url).map(link => markerAt(link, page))
      : [citationAt(page.range, page, text)],
  );
}

function citationAt(
  range: NonNullable<VendorCitation['range']>,
  page: VendorCitation,
  text: string,
): Citation {
  const citation = markerAt(range, page);
  return markerText.test(text.slice(range.start, range.end)) ? citation : { ...citation, marks: 'statement' };
}

/** A link, a bracketed number, or a marker in private-use characters. */
const markerText = /^\s*[[(【\u{e000}-\u{f8ff}]|:\/\//u;
