import { z } from 'zod';
import type { Citation } from '../../council/evidence/research.js';
import type { ModelUsage, SearchAnswer } from '../model-provider.js';
import { cacheTokensOf, inputDetailsShape } from './chat-dialect.js';
import { classifyHttpFailure, truncatedAnswer, unusableAnswer } from './failures.js';
import { markdownLinks, markerAt, readUrlCitations, type VendorCitation } from './url-citations.js';

/** How a vendor marks a citation: by the ranges of its annotations, or by numbered links in the text (xAI). */
export type ResponsesCitationStyle = 'ranges' | 'numbered links';

/**
 * Reads the body of a response of `/v1/responses`, of OpenAI or xAI.
 *
 * @throws ProviderError with the billed usage, searches included; ZodError if the body has another format.
 */
export function readResponse(
  body: unknown,
  modelId: string,
  style: ResponsesCitationStyle,
): Omit<SearchAnswer, 'blockList'> {
  const { status, error, incomplete_details: incomplete, ...response } = responseShape.parse(body);
  const usage = usageOf(response, modelId);
  if (status === 'incomplete') {
    if (incomplete?.reason === 'max_output_tokens') throw truncatedAnswer(usage);
    throw unusableAnswer(incomplete?.reason === 'content_filter' ? 'refused' : 'invalid_answer', usage);
  }
  // OpenAI reports failures of its own with status 200. The code decides, as with an HTTP error.
  if (status === 'failed' || error) {
    throw classifyHttpFailure({ status: 200, headers: null, code: error?.code ?? null, usage, nowMs: 0 });
  }
  const { text, pages, refused } = proseOf(response.output);
  if (refused) throw unusableAnswer('refused', usage);
  if (status !== 'completed' || text.trim() === '') throw unusableAnswer('invalid_answer', usage);
  const named = [...pages, ...namedBeside(response)];
  const citations = style === 'ranges' ? citationsAtRanges(pages) : citationsAtLinks(text, pages, named);
  return { text, citations, ...usage };
}

const count = z.int().nonnegative();
const anyList = z.array(z.unknown()).nullish().catch(null);

const itemShape = z.object({
  type: z.string(),
  /** The parts of a `message`. */
  content: anyList,
  /** The action of a `web_search_call`. */
  action: z.object({ type: z.string().optional(), sources: anyList }).nullish().catch(null),
});

type OutputItem = z.infer<typeof itemShape>;

const responseShape = z.object({
  model: z.string().optional(),
  status: z.string().default('completed'),
  error: z.object({ code: z.string().nullish().catch(null) }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(itemShape),
  /** xAI: all pages that the search met, cited or not. */
  citations: anyList,
  usage: z
    .object({
      input_tokens: count,
      input_tokens_details: inputDetailsShape,
      output_tokens: count,
      total_tokens: count.default(0),
      /** xAI's count of what it bills. */
      num_server_side_tools_used: count.nullish(),
      server_side_tool_usage_details: z.object({ web_search_calls: count.nullish() }).nullish(),
    })
    .nullish(),
});

type Response = z.infer<typeof responseShape>;

/**
 * What the vendor bills. xAI counts its searches itself. OpenAI bills each call whose action is a search; opening a page
 * and finding something in it is free. A call without an action may have been a search.
 */
function usageOf(
  { model, usage, output }: Pick<Response, 'model' | 'usage' | 'output'>,
  modelId: string,
): ModelUsage & Pick<SearchAnswer, 'searches'> {
  const calls = output.filter(({ type }) => type === 'web_search_call');
  const counted = calls.filter(({ action }) => (action?.type ?? 'search') === 'search').length;
  const tokens = usage ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  return {
    modelId: model ?? modelId,
    inputTokens: tokens.input_tokens,
    ...cacheTokensOf(usage?.input_tokens_details),
    // Only the total surely includes hidden reasoning, see `readOpenAiUsage`.
    outputTokens: Math.max(tokens.output_tokens, tokens.total_tokens - tokens.input_tokens),
    searches:
      usage?.server_side_tool_usage_details?.web_search_calls ?? usage?.num_server_side_tools_used ?? counted,
  };
}

const partShape = z.object({
  type: z.string(),
  text: z.string().default(''),
  annotations: anyList,
});

interface Prose {
  readonly text: string;
  readonly pages: readonly VendorCitation[];
  readonly refused: boolean;
}

/** Joins all parts of all messages, and moves the offsets of their annotations to where each part begins. */
function proseOf(output: readonly OutputItem[]): Prose {
  let text = '';
  const pages: VendorCitation[] = [];
  let refused = false;
  for (const { content } of output.filter(({ type }) => type === 'message')) {
    // Otherwise the last statement of one message and the first of the next would be one.
    if (text !== '') text += '\n\n';
    for (const part of z.array(partShape).parse(content ?? [])) {
      refused ||= part.type === 'refusal';
      if (part.type !== 'output_text') continue;
      pages.push(...readUrlCitations(part.annotations ?? [], part.text, text.length));
      text += part.text;
    }
  }
  return { text, pages, refused };
}

const sourceShape = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);

/** Pages that the vendor names outside the text and its annotations. */
function namedBeside({
  citations,
  output,
}: Pick<Response, 'citations' | 'output'>): readonly VendorCitation[] {
  return [...(citations ?? []), ...output.flatMap(({ action }) => action?.sources ?? [])].flatMap(source => {
    const url = sourceShape.safeParse(source).data;
    return url === undefined ? [] : [{ url, title: null, range: null }];
  });
}

function citationsAtRanges(pages: readonly VendorCitation[]): readonly Citation[] {
  return pages.flatMap(page => (page.range === null ? [] : [markerAt(page.range, page)]));
}

/**
 * The numbered links of the text are the exact markers. A link counts only if the vendor names its page as well: the
 * model could have written it. Annotations without a link are cited at their ranges.
 *
 * @param named all pages that the vendor names
 */
function citationsAtLinks(
  text: string,
  pages: readonly VendorCitation[],
  named: readonly VendorCitation[],
): readonly Citation[] {
  const links = markdownLinks(text).flatMap(link => {
    const page = named.find(({ url }) => url === link.url);
    return link.numbered && page !== undefined ? [markerAt(link, page)] : [];
  });
  const linked = new Set(links.map(({ url }) => url));
  return [...links, ...citationsAtRanges(pages.filter(({ url }) => !linked.has(url)))];
}
