import { z } from 'zod';
import type { Citation } from '../../council/evidence/research.js';
import { type ModelUsage, ProviderError, type SearchAnswer } from '../model-provider.js';
import { tokensShape, usageOf } from './anthropic-fields.js';
import { truncatedAnswer, unusableAnswer } from './failures.js';

/** One message of a search: a part of the answer, if the vendor paused. */
export interface Turn {
  readonly stopReason: string | null;
  readonly blocks: readonly Block[];
  readonly usage: ModelUsage & { readonly searches: number };
}

/** @throws ZodError if the body has another format. */
export function readTurn(body: unknown, modelId: string): Turn {
  const { model, stop_reason: stopReason, content: blocks, usage } = turnShape.parse(body);
  const searches = usage.server_tool_use?.web_search_requests ?? 0;
  return { stopReason, blocks, usage: { ...usageOf(model ?? modelId, usage), searches } };
}

const anyList = z.array(z.unknown());

const blockShape = z.object({
  type: z.string(),
  text: z.string().optional(),
  citations: anyList.nullish().catch(null),
  /** The content of a `web_search_tool_result`: its results, or an object with an error code. */
  content: z.unknown().optional(),
});

type Block = z.output<typeof blockShape>;

const turnShape = z.object({
  model: z.string().optional(),
  stop_reason: z.string().nullable(),
  content: z.array(blockShape),
  usage: tokensShape.extend({
    server_tool_use: z.object({ web_search_requests: z.int().nonnegative().nullish() }).nullish(),
  }),
});

/**
 * Reads the whole answer of a search. A search that failed at the vendor comes with status 200: what the model wrote
 * without it is still used.
 *
 * @throws ProviderError with the billed usage, searches included.
 */
export function readFinding({ stopReason, blocks, usage }: Turn): Omit<SearchAnswer, 'blockList'> {
  if (stopReason === 'max_tokens') throw truncatedAnswer(usage);
  if (stopReason === 'refusal') throw unusableAnswer('refused', usage);
  if (stopReason !== 'end_turn') throw unusableAnswer('invalid_answer', usage);
  const { text, citations } = proseOf(blocks);
  if (text.trim() !== '') return { text, citations, ...usage };
  if (!blocks.some(isFailedSearch)) throw unusableAnswer('invalid_answer', usage);
  throw new ProviderError({ kind: 'unavailable', retryable: false, status: 200, usage });
}

const toolErrorShape = z.object({ error_code: z.string() });

/** Reaching the maximum of searches is an end, not a failure. */
function isFailedSearch({ type, content }: Block): boolean {
  const error = type === 'web_search_tool_result' ? toolErrorShape.safeParse(content).data : undefined;
  return error !== undefined && error.error_code !== 'max_uses_exceeded';
}

const citationShape = z.object({
  url: z.string().min(1),
  title: z.string().nullish().catch(null),
});

/**
 * Joins the text blocks. The vendor begins a new block for each cited statement, so that a block is the statement of its
 * citations; blocks continue one another unless a search or a thought lies between.
 */
function proseOf(blocks: readonly Block[]): Pick<SearchAnswer, 'text' | 'citations'> {
  const ages = pageAges(blocks);
  const citations: Citation[] = [];
  let text = '';
  let isInterrupted = false;
  for (const { type, text: passage = '', citations: cited } of blocks) {
    if (type !== 'text') {
      isInterrupted = true;
      continue;
    }
    if (isInterrupted && text !== '') text += '\n\n';
    isInterrupted = false;
    const [start, end] = [text.length, text.length + passage.length];
    for (const citation of passage === '' ? [] : (cited ?? [])) {
      const page = citationShape.safeParse(citation).data;
      if (page === undefined) continue;
      const { url, title } = page;
      citations.push({
        start,
        end,
        marks: 'statement',
        url,
        title: title ?? null,
        pageAge: ages.get(url) ?? null,
      });
    }
    text += passage;
  }
  return { text, citations };
}

const resultShape = z.object({ url: z.string(), page_age: z.string().min(1) });

/** The dates of the pages, which only the results of the searches have. */
function pageAges(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const results = blocks.flatMap(({ type, content }) =>
    type === 'web_search_tool_result' ? (anyList.safeParse(content).data ?? []) : [],
  );
  return new Map(
    results.flatMap((result): [string, string][] => {
      const dated = resultShape.safeParse(result).data;
      return dated === undefined ? [] : [[dated.url, dated.page_age]];
    }),
  );
}
