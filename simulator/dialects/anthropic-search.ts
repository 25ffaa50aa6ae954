import { createHash } from 'node:crypto';
import { z } from 'zod';
import { writeCitedText } from '../search/cited-text.js';
import type { SimulatedPage, SimulatedSearch } from '../search/findings.js';
import { tokensIn } from './dialect.js';

const domains = z.array(z.string().regex(/^(?!.*:)[\w-]+(\.[\w-]+)+(\/\S*)?$/));

/** Anthropic's web search tool. Its two lists exclude each other. */
export const anthropicSearchTools = z.tuple([
  z
    .strictObject({
      type: z.literal('web_search_20250305'),
      name: z.literal('web_search'),
      max_uses: z.int().positive().nullish(),
      allowed_domains: domains.nullish(),
      blocked_domains: domains.nullish(),
      allowed_callers: z.array(z.literal('direct')).optional(),
    })
    .refine(tool => tool.allowed_domains == null || tool.blocked_domains == null, {
      message: 'Only one of allowed_domains and blocked_domains can be set',
    }),
]);

/** A paused answer that the request returns to have it continued. Anthropic rejects a search result that was changed. */
export const pausedContentShape = z
  .array(
    z.union([
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('server_tool_use'), id: z.string(), name: z.literal('web_search') }),
      z.looseObject({
        type: z.literal('web_search_tool_result'),
        tool_use_id: z.string(),
        content: z.array(
          z
            .looseObject({
              type: z.literal('web_search_result'),
              url: z.string().optional(),
              title: z.string().nullish(),
              page_age: z.string().nullish(),
              encrypted_content: z.string(),
            })
            .refine(
              ({ url = null, title = null, page_age: pageAge = null, encrypted_content: sealed }) =>
                sealed === sealOf({ url, title, pageAge }),
              { message: 'Invalid encrypted_content in search_result block' },
            ),
        ),
      }),
    ]),
  )
  .min(1);

/**
 * The content blocks of an answer to a search: the searches with their results, and a text block for each statement. A
 * paused answer ends behind its first statement; its continuation has the others and no search.
 */
export function searchBlocks(answer: SimulatedSearch, continues: boolean): unknown[] {
  const texts = textBlocks(answer);
  if (continues) return texts.slice(1);
  return [...searches(answer), ...(answer.ending === 'paused' ? texts.slice(0, 1) : texts)];
}

export function searchUsage(answer: SimulatedSearch, continues: boolean): object {
  const requests = continues || answer.toolError !== null ? 0 : answer.queries.length;
  return { server_tool_use: { web_search_requests: requests, web_fetch_requests: 0 } };
}

/** The tokens of the results, which Anthropic bills as input. */
export function resultTokens(answer: SimulatedSearch): number {
  return tokensIn(...searches(answer).map(block => JSON.stringify(block)));
}

function searches({ id, queries, statements, toolError }: SimulatedSearch): unknown[] {
  const results = pagesIn(statements).map(page => ({
    type: 'web_search_result',
    ...addressOf(page),
    page_age: page.pageAge,
    encrypted_content: sealOf(page),
  }));
  const caller = { type: 'direct' };
  return queries.flatMap((query, index) => {
    const toolUseId = `srvtoolu_${digest(`${id} ${index}`).slice(0, 24)}`;
    const content =
      toolError === null
        ? // Each page is a result of one of the searches.
          results.filter((_, position) => position % queries.length === index)
        : { type: 'web_search_tool_result_error', error_code: toolError };
    return [
      { type: 'server_tool_use', id: toolUseId, name: 'web_search', input: { query }, caller },
      { type: 'web_search_tool_result', tool_use_id: toolUseId, caller, content },
    ];
  });
}

/** Cited statements are blocks of their own, and so is the text between them. */
function textBlocks(answer: SimulatedSearch): unknown[] {
  const { text, citations } = writeCitedText('anthropic', answer);
  const blocks: unknown[] = [];
  let written = 0;
  const plain = (until: number) => {
    if (until > written) blocks.push({ type: 'text', text: text.slice(written, until), citations: null });
  };
  for (const { start, end, statement, page } of citations) {
    plain(start);
    const citation = {
      type: 'web_search_result_location',
      ...addressOf(page),
      cited_text: statement.slice(0, citedTextMaxChars),
      encrypted_index: digest(`${sealOf(page)} ${statement}`),
    };
    blocks.push({ type: 'text', text: text.slice(start, end), citations: [citation] });
    written = end;
  }
  plain(text.length);
  return blocks;
}

const citedTextMaxChars = 150;

function addressOf({ url, title }: SimulatedPage): object {
  return { ...(url === null ? {} : { url }), title };
}

function pagesIn(statements: SimulatedSearch['statements']): SimulatedPage[] {
  const pages = statements.flatMap(({ page }) => page ?? []);
  return pages.filter((page, index) => pages.findIndex(other => sealOf(other) === sealOf(page)) === index);
}

/** Stands for the encrypted content of a page. */
function sealOf({ url, title, pageAge }: SimulatedPage): string {
  return digest(JSON.stringify([url, title, pageAge]));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
