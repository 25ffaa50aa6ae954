import { z } from 'zod';
import {
  type Answer,
  type CompletionRequest,
  type Dialect,
  tokensIn,
  validateSchema,
  type WireReply,
} from './dialect.js';

/** Gemini's `generateContent`. */
export const googleDialect: Dialect = {
  keyHeader: 'x-goog-api-key',
  isCompletionPath: path => completionPath.test(path),
  readRequest,
  reply,
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

const requestShape = z.object({
  systemInstruction: partsShape,
  contents: z.array(partsShape).min(1),
  generationConfig: z.strictObject({
    maxOutputTokens: z.int().positive(),
    responseMimeType: z.literal('application/json'),
    responseSchema: z.record(z.string(), z.unknown()),
    // Either of the two, not both.
    thinkingConfig: z
      .union([
        z.strictObject({ thinkingLevel: z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']) }),
        z.strictObject({ thinkingBudget: z.int().min(0) }),
      ])
      .optional(),
  }),
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

function readRequest(body: unknown, path: string): CompletionRequest {
  const { systemInstruction, contents, generationConfig } = requestShape.parse(body);
  validateSchema(generationConfig.responseSchema, schemaRules);
  const { maxOutputTokens, thinkingConfig: thinking } = generationConfig;
  return {
    modelId: completionPath.exec(path)?.[1] ?? '',
    system: textOf(systemInstruction),
    user: contents.map(textOf).join('\n'),
    schemaName: null,
    schema: generationConfig.responseSchema,
    limits: {
      maxOutputTokens,
      effort: thinking && 'thinkingLevel' in thinking ? effortOfLevel[thinking.thinkingLevel] : null,
      thinkingBudgetTokens: thinking && 'thinkingBudget' in thinking ? thinking.thinkingBudget : null,
    },
  };
}

function textOf({ parts }: z.infer<typeof partsShape>): string {
  return parts.map(({ text }) => text).join('\n');
}

function reply(request: CompletionRequest, answer: Answer): WireReply {
  const promptTokenCount = tokensIn(request.system, request.user);
  const candidatesTokenCount = tokensIn(answer.text);
  const body = {
    ...outcomeOf(answer),
    usageMetadata: {
      promptTokenCount,
      // Gemini omits the count if there is no text.
      ...(candidatesTokenCount === 0 ? {} : { candidatesTokenCount }),
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    },
    modelVersion: request.modelId,
    responseId: answer.id,
  };
  return { status: 200, body };
}

function outcomeOf({ text, ending }: Answer) {
  const content = { role: 'model', parts: text === '' ? [] : [{ text }] };
  const outcomes = {
    complete: { candidates: [{ index: 0, content, finishReason: 'STOP' }] },
    truncated: { candidates: [{ index: 0, content, finishReason: 'MAX_TOKENS' }] },
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
