import type { Citation, Research } from '../council/evidence/research.js';
import type { CouncilModel } from '../council/models.js';
import type { JsonSchema } from '../providers/model-provider.js';
import { redirectTo } from './dialects/google-search.js';
import { readEventText, readTask, readToday } from './read-task.js';
import { type CitationStyle, hostOf, marksOf, writeCitedText } from './search/cited-text.js';
import { findOnEvent } from './search/find-on-event.js';
import type { SimulatedPage } from './search/findings.js';
import { writeAnswer } from './write-answer.js';

/**
 * The text with which a member answers a question, without a server: the same as over any of the vendors' APIs.
 *
 * @throws BadRequest if the schema is not one of the council's four.
 */
export function simulateAnswer(
  member: CouncilModel,
  question: { readonly user: string; readonly schemaName: string; readonly schema: JsonSchema },
): string {
  return JSON.stringify(writeAnswer(readEventText(question.user), member, readTask(question)));
}

/** What a member's search returns, without a server: the same as its adapter reads over its own vendor's API. */
export function simulateSearch(
  member: CouncilModel,
  { user }: { readonly user: string },
): Pick<Research, 'text' | 'citations' | 'searches'> {
  const found = findOnEvent(readEventText(user), member, readToday(user));
  const { style, report } = vendorOf[member];
  const { text, citations } = writeCitedText(style, found);
  return {
    text,
    citations: citations.map(({ start, end, page }) => ({
      start,
      end,
      marks: marksOf(style),
      url: page.url ?? '',
      title: null,
      pageAge: null,
      ...report(page),
    })),
    searches: found.queries.length,
  };
}

interface SearchVendor {
  readonly style: CitationStyle;
  /** What the vendor tells of a page besides its address. */
  readonly report: (page: SimulatedPage) => Partial<Pick<Citation, 'url' | 'title' | 'pageAge'>>;
}

const vendorOf: Readonly<Record<CouncilModel, SearchVendor>> = {
  claude: { style: 'anthropic', report: ({ title, pageAge }) => ({ title, pageAge }) },
  gpt: { style: 'openai', report: ({ title }) => ({ title }) },
  gemini: {
    style: 'google',
    report: page => ({ url: redirectTo(page.url ?? ''), title: hostOf(page) }),
  },
  grok: { style: 'xai', report: () => ({}) },
};
