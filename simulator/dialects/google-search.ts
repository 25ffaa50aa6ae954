import { createHash } from 'node:crypto';
import { hostOf, writeCitedText } from '../search/cited-text.js';
import type { SimulatedSearch } from '../search/findings.js';

/** Gemini's text and the metadata that grounds it. Its offsets count bytes, and its addresses are redirects. */
export function groundedCandidate(answer: SimulatedSearch): {
  readonly text: string;
  readonly metadata: object;
} {
  const { text, citations } = writeCitedText('google', answer);
  if (answer.toolError !== null) return { text, metadata: {} };
  const supports = citations.map(({ start, end, statement }, index) => ({
    segment: {
      startIndex: bytesIn(text.slice(0, start)),
      endIndex: bytesIn(text.slice(0, end)),
      text: statement,
    },
    groundingChunkIndices: [index],
  }));
  const chunks = citations.map(({ page }) => ({
    web: { ...(page.url === null ? {} : { uri: redirectTo(page.url) }), title: hostOf(page) },
  }));
  const groundingMetadata = {
    webSearchQueries: answer.queries,
    searchEntryPoint: { renderedContent: '<style></style><div>Simulated search suggestions</div>' },
    ...(chunks.length > 0 ? { groundingChunks: chunks } : {}),
    groundingSupports: chunks.length > 0 || answer.statements.length === 0 ? supports : [pointsNowhere(text)],
  };
  return { text, metadata: { groundingMetadata } };
}

/** Gemini does this if a search has no usable pages: there is no chunk that the index could mean. */
function pointsNowhere(text: string) {
  return { segment: { endIndex: bytesIn(text), text }, groundingChunkIndices: [0] };
}

/** The domain in the title is all that tells where it leads. */
export function redirectTo(url: string): string {
  const token = createHash('sha256').update(url).digest('base64url');
  return `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token}`;
}

function bytesIn(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
