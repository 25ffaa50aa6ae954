import { type AssembledEvidence, assembleEvidence } from '../../../council/evidence/assemble-evidence.js';
import type { Citation, Research } from '../../../council/evidence/research.js';
import type { CouncilModel } from '../../../council/models.js';
import { cupMatch } from '../fixtures.js';

export const asOf = '2031-04-01T12:00:00.000Z';

export const harmless = 'Canada named an unchanged squad on Monday.';

export interface Cited {
  readonly text: string;
  readonly url: string;
  readonly title?: string | null;
  readonly pageAge?: string | null;
}

/** As Anthropic and Gemini answer: each range is the cited statement. */
export function ranged(cited: readonly Cited[]): Research {
  let text = '';
  const citations = cited.map(({ text: statement, url, title = null, pageAge = null }): Citation => {
    const start = text.length === 0 ? 0 : text.length + 1;
    text = start === 0 ? statement : `${text}\n${statement}`;
    return { start, end: text.length, marks: 'statement', url, title, pageAge };
  });
  return { text, citations, searches: 2, retrievedAt: asOf };
}

/** As OpenAI and xAI answer: a marker behind each statement, and its range. */
export function marked(
  cited: readonly Cited[],
  marker = (url: string) => ` ([example.org](${url}))`,
): Research {
  let text = '';
  const citations = cited.map(({ text: statement, url, title = null, pageAge = null }): Citation => {
    text += `${text === '' ? '' : ' '}${statement}`;
    const start = text.length;
    text += marker(url);
    return { start, end: text.length, marks: 'marker', url, title, pageAge };
  });
  return { text, citations, searches: 1, retrievedAt: asOf };
}

/** A text that is cited to each of these pages from `start` on. */
export function citedTo(text: string, urls: readonly string[], start = 0): Research {
  const page = { start, end: text.length, marks: 'statement' as const, title: null, pageAge: null };
  return { text, citations: urls.map(url => ({ ...page, url })), searches: 1, retrievedAt: asOf };
}

/** The evidence of a run in which these members searched. */
export function assembled(
  research: Readonly<Partial<Record<CouncilModel, Research>>>,
  overrides: Partial<Parameters<typeof assembleEvidence>[0]> = {},
): AssembledEvidence {
  return assembleEvidence({ event: cupMatch, asOf, seed: 'seed', research, failures: {}, ...overrides });
}

/** What the council reads if one member's search returns this. */
export function readOf(cited: readonly Cited[]) {
  return assembled({ claude: ranged(cited) }).evidence;
}
