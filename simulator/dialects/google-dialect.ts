import { z } from 'zod';
import type { AnswerLimits } from '../../providers/answer-limits.js';
import type { SimulatedSearch } from '../search/findings.js';
import {
  type CacheUse,
  type Caching,
  type CompletionRequest,
  type Dialect,
  type SearchRequest,
  tokensIn,
  validateSchema,
  type WireAnswer,
  type WireReply,
} from './dialect.js';
import { groundedCandidate } from './google-search.js';

/** Gemini's `generateContent`. */
export const googleDialect: Dialect = {
  keyHeader: 'x-goog-api-key',
  isCompletionPath: path => completionPath.test(path),
  readRequest,
  reply,
  replyToSearch,
  blockListField: null,
  modelPathPrefix: '/v1beta/models/',
  modelInfo: modelId => ({
    name: `models/${modelId}`,
    version: '001',
    displayName: 'Simulated model',
    supportedGenerationMethods: ['generateContent'],
  }),
  error: ({ status, code, retryAfter, message }) => ({
    error: {
      code: status,
      message,
      status: statusNames.get(status) ?? 'UNKNOWN',
      details: [...quotaDetails(code), ...retryDetails(retryAfter)],
    },
  }),
};

const completionPath = /^\/v1beta\/models\/([^/:]+):generateContent$/;

const partsShape = z.object({ parts: z.array(z.object({ text: z.string() })).min(1) });

const commonFields = {
  systemInstruction: partsShape,
  contents: z.array(partsShape).min(1),
};

const limitFields = {
  maxOutputTokens: z.int().positive(),
  // Either of the two, not both.
  thinkingConfig: z
    .union([
      z.strictObject({ thinkingLevel: z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']) }),
      z.strictObject({ thinkingBudget: z.int().min(0) }),
    ])
    .optional(),
};

const completionShape = z.object({
  ...commonFields,
  generationConfig: z.strictObject({
    ...limitFields,
    responseMimeType: z.literal('application/json'),
    responseSchema: z.record(z.string(), z.unknown()),
  }),
  tools: z.never().optional(),
});

/** It has no schema, and no list of blocked hosts: the vendor has none. */
const searchShape = z.object({
  ...commonFields,
  generationConfig: z.strictObject(limitFields),
  tools: z.tuple([
    z.strictObject({
      googleSearch: z.strictObject({
        timeRangeFilter: z.strictObject({ startTime: z.string(), endTime: z.string() }).optional(),
      }),
    }),
  ]),
});

const effortOfLevel = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const;

const schemaRules = {
  unsupportedKeywords: new Set(
    '$schema $ref $defs additionalProperties const oneOf allOf not uniqueItems exclusiveMinimum exclusiveMaximum'.split(
      ' ',
    ),
  ),
  closedObjects: false,
  allRequired: false,
};

function readRequest(body: unknown, path: string): CompletionRequest | SearchRequest {
  const modelId = completionPath.exec(path)?.[1] ?? '';
  const isSearch = typeof body === 'object' && body !== null && 'tools' in body;
  if (isSearch) {
    const request = searchShape.parse(body);
    const limits = limitsOf(request.generationConfig);
    const unlimited = { blockedHosts: [], maxSearches: null, continues: false };
    const caching = cachingOf([request.tools, request.generationConfig.thinkingConfig]);
    return { kind: 'search', modelId, ...promptOf(request), limits, caching, ...unlimited };
  }
  const request = completionShape.parse(body);
  const { responseSchema: schema } = request.generationConfig;
  validateSchema(schema, schemaRules);
  const limits = limitsOf(request.generationConfig);
  const caching = cachingOf([schema, request.generationConfig.thinkingConfig]);
  return { kind: 'completion', modelId, ...promptOf(request), schemaName: null, schema, limits, caching };
}

/** Gemini stores by itself. Another schema loses all of it. */
function cachingOf(settings: unknown): Caching {
  return { vendor: 'google', settings, marks: [] };
}

type Parts = z.infer<typeof partsShape>;

function promptOf({ systemInstruction, contents }: { systemInstruction: Parts; contents: readonly Parts[] }) {
  return { system: textOf(systemInstruction), user: contents.map(textOf).join('\n') };
}

function limitsOf({
  maxOutputTokens,
  thinkingConfig: thinking,
}: Pick<
  z.infer<typeof searchShape>['generationConfig'],
  'maxOutputTokens' | 'thinkingConfig'
>): AnswerLimits {
  return {
    maxOutputTokens,
    effort: thinking && 'thinkingLevel' in thinking ? effortOfLevel[thinking.thinkingLevel] : null,
    thinkingBudgetTokens: thinking && 'thinkingBudget' in thinking ? thinking.thinkingBudget : null,
  };
}

function textOf({ parts }: Parts): string {
  return parts.map(({ text }) => text).join('\n');
}

function reply(request: CompletionRequest, answer: WireAnswer, cache: CacheUse): WireReply {
  return response(request, answer, cache, outcomeOf(answer));
}

function replyToSearch(request: SearchRequest, answer: SimulatedSearch, cache: CacheUse): WireReply {
  const { text, metadata } = groundedCandidate(answer);
  const { id, ending } = answer;
  const outcome = outcomeOf({ id, text, ending: ending === 'paused' ? 'complete' : ending }, metadata);
  const toolUsePromptTokenCount = tokensIn(JSON.stringify(metadata));
  return response(request, { id, text }, cache, outcome, toolUsePromptTokenCount);
}

function response(
  request: CompletionRequest | SearchRequest,
  answer: Pick<WireAnswer, 'id' | 'text'>,
  { readTokens }: CacheUse,
  outcome: object,
  toolUsePromptTokenCount = 0,
): WireReply {
  const promptTokenCount = tokensIn(request.system, request.user);
  const candidatesTokenCount = tokensIn(answer.text);
  const body = {
    ...outcome,
    usageMetadata: {
      promptTokenCount,
      // Gemini omits a count of zero.
      ...(readTokens === 0 ? {} : { cachedContentTokenCount: readTokens }),
      ...(candidatesTokenCount === 0 ? {} : { candidatesTokenCount }),
      ...(toolUsePromptTokenCount === 0 ? {} : { toolUsePromptTokenCount }),
      totalTokenCount: promptTokenCount + candidatesTokenCount + toolUsePromptTokenCount,
    },
    modelVersion: request.modelId,
    responseId: answer.id,
  };
  return { status: 200, body };
}

function outcomeOf({ text, ending }: WireAnswer, metadata: object = {}) {
  const content = { role: 'model', parts: text === '' ? [] : [{ text }] };
  const outcomes = {
    complete: { candidates: [{ index: 0, content, finishReason: 'STOP', ...metadata }] },
    truncated: { candidates: [{ index: 0, content, finishReason: 'MAX_TOKENS', ...metadata }] },
    refused: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
    filtered: { candidates: [{ index: 0, finishReason: 'SAFETY' }] },
  } as const;
  return outcomes[ending];
}

function quotaDetails(code: string | null): unknown[] {
  if (code === null) return [];
  const type = 'type.googleapis.com/google.rpc';
  return code === 'insufficient_quota'
    ? [
        {
          '@type': `${type}.QuotaFailure`,
          violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
        },
      ]
    : [{ '@type': `${type}.ErrorInfo`, reason: code, domain: 'googleapis.com' }];
}

/** Gemini requests a delay in the body, in seconds only. */
function retryDetails(retryAfter: string | null): unknown[] {
  if (retryAfter === null || !/^\d+$/.test(retryAfter)) return [];
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }];
}

const statusNames: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
