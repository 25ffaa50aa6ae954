import type { DropoutKind } from '../council/deliberation/members.js';
import { canonicalPage } from '../council/evidence/canonical-url.js';
import { blockedHosts } from '../council/evidence/denied-hosts.js';
import { isMarketPage } from '../council/evidence/market-page.js';
import type { Citation } from '../council/evidence/research.js';
import { outcomeSet } from '../council/market/outcome-set.js';
import { researchPrompt } from '../council/prompts/research-prompt.js';
import type { AnswerLimits } from './answer-limits.js';
import { trialEvent } from './check-models.js';
import { type CallLimits, type ModelProvider, ProviderError, type SearchAnswer } from './model-provider.js';

/** What one trial search showed, as `council doctor` prints it. A search that fails loses no member. */
export interface SearchTrial {
  readonly works: boolean;
  readonly problem: DropoutKind | null;
  readonly http_status: number | null;
  readonly searches: number;
  readonly citations: number;
  /**
   * What the vendor did with the list of blocked hosts. `ignored`: it took the list and cited a page on it; the service
   * removes such pages in any case.
   */
  readonly block_list: SearchAnswer['blockList'] | 'ignored' | null;
}

/**
 * Lets a model search once, with the prompt of a report, about an event on which many pages quote odds: a vendor that
 * ignores its block list shows it here. Detects a key without permission to search. Costs a search and some thousand
 * tokens.
 */
export async function trySearch(
  provider: ModelProvider,
  { asOf, ...limits }: CallLimits & AnswerLimits & { readonly asOf: string },
): Promise<SearchTrial> {
  const set = outcomeSet(rateDecision);
  const brief = { event: rateDecision, set, asOf, seed: asOf };
  try {
    const { searches, citations, blockList } = await provider.search({
      ...researchPrompt(brief),
      ...limits,
      blockedHosts,
      maxSearches: 1,
    });
    const isIgnored = blockList === 'sent' && citations.some(citesMarket);
    const block_list = isIgnored ? 'ignored' : blockList;
    return {
      works: true,
      problem: null,
      http_status: null,
      searches,
      citations: citations.length,
      block_list,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind: problem, status: http_status } = error;
    return { works: false, problem, http_status, searches: 0, citations: 0, block_list: null };
  }
}

function citesMarket({ url, title }: Citation): boolean {
  const page = canonicalPage(url, title);
  return page !== null && isMarketPage(page, title);
}

const rateDecision = trialEvent({
  title: 'Does the Federal Reserve cut its rate at its next meeting?',
  description: 'A trial question. One search and three short statements are enough.',
  sides: ['Yes', 'No'],
});
