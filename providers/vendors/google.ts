import { types } from 'node:util';
import {
  type GenerateContentRequest,
  type GenerationConfig,
  type GenerativeModel,
  GoogleGenerativeAI,
  GoogleGenerativeAIError,
  GoogleGenerativeAIFetchError,
  type ResponseSchema,
  SchemaType,
} from '@google/generative-ai';
import type { AnswerLimits } from '../answer-limits.js';
import {
  type JsonSchema,
  type ModelProvider,
  type ModelQuestion,
  type ProviderError,
  type ProviderSettings,
  type SearchQuestion,
} from '../model-provider.js';
import { askVendor } from './ask-vendor.js';
import { classifyBrokenExchange, classifyHttpFailure, lostConnection, unusableAnswer } from './failures.js';
import { readGoogleFinding } from './google-findings.js';
import { readGoogleAnswer, readGoogleErrorDetails, retrieveGoogleModel } from './google-responses.js';
import { geminiSchema } from './json-schema.js';
import type { GoogleSearchTool } from './newer-fields.js';

/**
 * Gemini's `generateContent`. One HTTP request per call, searches included; structured output with `responseSchema`. The only
 * file that uses Google's SDK, which is deprecated, hides response headers and follows redirects. The SDK
 * cannot retrieve a model's metadata either, so `checkModel` uses `fetch`.
 */
export function createGoogleProvider({ apiKey, baseUrl, modelId }: ProviderSettings): ModelProvider {
  const base = (baseUrl ?? 'https://generativelanguage.googleapis.com').replace(/\/+$/, '');
  const model = new GoogleGenerativeAI(apiKey).getGenerativeModel({ model: modelId }, { baseUrl: base });
  // `model.model` has the `models/` prefix, which the SDK adds if the id has none.
  const modelUrl = `${base}/v1beta/${model.model}`;
  return {
    ask: question =>
      askVendor(
        question,
        async signal => readGoogleAnswer(await generate(model, requestOf(question), signal), modelId),
        classify,
      ),
    search: question =>
      askVendor(
        question,
        async signal => {
          const body = await generate(model, searchOf(question), signal);
          return { ...readGoogleFinding(body, modelId), blockList: 'unsupported' };
        },
        classify,
      ),
    checkModel: limits =>
      askVendor(limits, signal => retrieveGoogleModel(modelUrl, apiKey, signal), classify),
  };
}

/** The SDK gets no `timeout`, because it never clears its timer. {@link askVendor} applies the timeout. */
async function generate(model: GenerativeModel, request: GenerateContentRequest, signal: AbortSignal) {
  const { response } = await model.generateContent(request, { signal });
  return response;
}

function requestOf(question: ModelQuestion): GenerateContentRequest {
  const responseSchema = geminiSchema(question.schema);
  if (!isResponseSchema(responseSchema)) throw new Error('the schema has no type that Gemini supports');
  const generationConfig: ThinkingGenerationConfig = {
    ...limitsOf(question),
    responseMimeType: 'application/json',
    responseSchema,
  };
  return { ...promptOf(question), generationConfig };
}

/**
 * Gemini decides how often it searches, and takes no list of blocked hosts: `excludeDomains` exists only at Vertex. A
 * schema in the same request is rejected before Gemini 3.
 */
function searchOf(question: SearchQuestion): GenerateContentRequest {
  const tool: GoogleSearchTool = { googleSearch: {} };
  return { ...promptOf(question), generationConfig: limitsOf(question), tools: [tool] };
}

function promptOf({ system, user }: Pick<ModelQuestion, 'system' | 'user'>) {
  return {
    systemInstruction: { role: 'system', parts: [{ text: system }] },
    contents: [{ role: 'user', parts: [{ text: user }] }],
  };
}

function limitsOf(limits: AnswerLimits): ThinkingGenerationConfig {
  return { maxOutputTokens: limits.maxOutputTokens, ...thinkingOf(limits) };
}

/** The SDK sends the configuration as it is, but its types are older than the API's field. */
interface ThinkingGenerationConfig extends GenerationConfig {
  readonly thinkingConfig?: { readonly thinkingLevel: string } | { readonly thinkingBudget: number };
}

/** Gemini 3 and later take a level, earlier models a budget; a request with both is rejected with 400. */
function thinkingOf({
  effort,
  thinkingBudgetTokens,
}: AnswerLimits): Pick<ThinkingGenerationConfig, 'thinkingConfig'> {
  if (thinkingBudgetTokens !== null) return { thinkingConfig: { thinkingBudget: thinkingBudgetTokens } };
  return effort === null ? {} : { thinkingConfig: { thinkingLevel: effort.toUpperCase() } };
}

const schemaTypes: ReadonlySet<unknown> = new Set(Object.values(SchemaType));

function isResponseSchema(schema: JsonSchema): schema is JsonSchema & ResponseSchema {
  return schemaTypes.has(schema['type']);
}

function classify(error: unknown): ProviderError {
  if (error instanceof GoogleGenerativeAIFetchError && error.status !== undefined) {
    const { code, retryDelay } = readGoogleErrorDetails(error.errorDetails);
    return classifyHttpFailure({
      status: error.status,
      headers: null,
      code,
      retryDelay,
      nowMs: Date.now(),
    });
  }
  // The SDK throws its base class for a failed connection.
  if (error instanceof GoogleGenerativeAIError) {
    return lostConnection(error);
  }
  // The SDK throws a TypeError without a cause if the body is JSON but not an object.
  if (types.isNativeError(error) && error.name === 'TypeError' && error.cause === undefined) {
    return unusableAnswer('invalid_answer', null);
  }
  return classifyBrokenExchange(error);
}
