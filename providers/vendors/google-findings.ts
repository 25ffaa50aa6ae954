import { z } from 'zod';
import type { Citation } from '../../council/evidence/research.js';
import type { SearchAnswer } from '../model-provider.js';
import { withBilled } from './failures.js';
import { readGoogleAnswer } from './google-responses.js';
import { utf16Offsets } from './text-offsets.js';

/**
 * Reads the body of a `generateContent` response with Google Search. The SDK's types of the grounding differ from what
 * the API sends. A support that points to no chunk is skipped, and its statement counts as uncited.
 *
 * @throws Same as `readGoogleAnswer`, with the searches in the billed usage.
 */
export function readGoogleFinding(body: unknown, modelId: string): Omit<SearchAnswer, 'blockList'> {
  const [candidate] = groundedShape.parse(body).candidates;
  const { webSearchQueries, groundingChunks, groundingSupports } =
    candidate?.groundingMetadata ?? groundingShape.parse({});
  const searches = webSearchQueries.length;
  try {
    const answer = readGoogleAnswer(body, modelId);
    const places = placesOf(candidate?.content.parts ?? []);
    const citations = groundingSupports.flatMap(({ segment, groundingChunkIndices }) => {
      const range = places(segment);
      return groundingChunkIndices.flatMap(index => {
        const page = groundingChunks[index]?.web ?? null;
        return range === null || page === null ? [] : [citationOf(range, page)];
      });
    });
    return { ...answer, citations, searches };
  } catch (error) {
    if (searches === 0) throw error;
    throw withBilled(error, { modelId, inputTokens: 0, outputTokens: 0, searches });
  }
}

/** The API leaves out fields that are 0 or empty. */
const segmentShape = z.object({
  partIndex: z.int().nonnegative().default(0),
  startIndex: z.int().nonnegative().default(0),
  endIndex: z.int().nonnegative().default(0),
});

type Segment = z.output<typeof segmentShape>;

/** The address is a redirect at Google; the title is the domain of the page. */
const pageShape = z.object({ uri: z.string().min(1), title: z.string().nullish().catch(null) });

type Page = z.output<typeof pageShape>;

const groundingShape = z.object({
  webSearchQueries: z.array(z.unknown()).catch([]).default([]),
  groundingChunks: z
    .array(z.object({ web: pageShape.nullish().catch(null) }).catch({ web: null }))
    .catch([])
    .default([]),
  groundingSupports: z
    .array(
      z
        .object({ segment: segmentShape, groundingChunkIndices: z.array(z.int()).default([]) })
        .catch({ segment: segmentShape.parse({}), groundingChunkIndices: [] }),
    )
    .catch([])
    .default([]),
});

const partShape = z.object({ text: z.string().default(''), thought: z.boolean().default(false) });

type Part = z.output<typeof partShape>;

const candidateShape = z.object({
  content: z
    .object({ parts: z.array(partShape).catch([]).default([]) })
    .catch({ parts: [] })
    .default({ parts: [] }),
  groundingMetadata: groundingShape.nullish().catch(null),
});

const groundedShape = z
  .object({ candidates: z.array(candidateShape).catch([]).default([]) })
  .catch({ candidates: [] });

/** Converts segments, whose offsets are bytes of the UTF-8 text of one part, into ranges of the joined text. */
function placesOf(parts: readonly Part[]): (segment: Segment) => Pick<Citation, 'start' | 'end'> | null {
  let length = 0;
  const starts = parts.map(({ text, thought }) => {
    const start = thought ? null : { base: length, utf16: utf16Offsets(text, 'UTF-8 bytes') };
    length += thought ? 0 : text.length;
    return start;
  });
  return ({ partIndex, startIndex, endIndex }) => {
    const part = starts[partIndex] ?? null;
    if (part === null) return null;
    const [start, end] = [part.utf16(startIndex), part.utf16(endIndex)];
    return start === null || end === null || start >= end
      ? null
      : { start: part.base + start, end: part.base + end };
  };
}

function citationOf({ start, end }: Pick<Citation, 'start' | 'end'>, { uri, title }: Page): Citation {
  return { start, end, marks: 'statement', url: uri, title: title ?? null, pageAge: null };
}
