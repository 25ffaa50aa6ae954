import { types } from 'node:util';
import {
  type GenerateContentRequest,
  type GenerativeModel,
  GoogleGenerativeAI,
  GoogleGenerativeAIError,
  GoogleGenerativeAIFetchError,
  type ResponseSchema,
  SchemaType,
} from '@google/generative-ai';
import {
  type JsonSchema,
  type ModelProvider,
  type ModelQuestion,
  ProviderError,
  type ProviderSettings,
} from '../model-provider.js';
import { askVendor } from './ask-vendor.js';
import { classifyBrokenExchange, classifyHttpFailure, unusableAnswer } from './failures.js';
import { readGoogleAnswer, readGoogleErrorDetails, retrieveGoogleModel } from './google-responses.js';
import { geminiSchema } from './json-schema.js';

/**
 * Gemini's generateContent. One HTTP request per call; structured output by `responseSchema`.
 * The SDK is superseded, hides response headers and follows redirects: this file alone knows it. It
 * has no way to ask for a model's card either, so that is fetched by hand.
 */
export function createGoogleProvider({ apiKey, baseUrl, modelId }: ProviderSettings): ModelProvider {
  const base = (baseUrl ?? 'https://generativelanguage.googleapis.com').replace(/\/+$/, '');
  const model = new GoogleGenerativeAI(apiKey).getGenerativeModel({ model: modelId }, { baseUrl: base });
  // With its folder (`models/…`), which the SDK adds to an id that has none.
  const card = `${base}/v1beta/${model.model}`;
  return {
    ask: question =>
      askVendor(
        question,
        async signal => readGoogleAnswer(await generate(model, question, signal), modelId),
        classify,
      ),
    checkModel: limits => askVendor(limits, signal => retrieveGoogleModel(card, apiKey, signal), classify),
  };
}

/** No `timeout` is given to the SDK: its timer is never cleared. `askOnce` keeps the time. */
async function generate(model: GenerativeModel, question: ModelQuestion, signal: AbortSignal) {
  const { response } = await model.generateContent(requestOf(question), { signal });
  return response;
}

function requestOf(question: ModelQuestion): GenerateContentRequest {
  const responseSchema = geminiSchema(question.schema);
  if (!isResponseSchema(responseSchema)) throw new Error('the schema has no type Gemini knows');
  return {
    systemInstruction: { role: 'system', parts: [{ text: question.system }] },
    contents: [{ role: 'user', parts: [{ text: question.user }] }],
    generationConfig: {
      maxOutputTokens: question.maxOutputTokens,
      responseMimeType: 'application/json',
      responseSchema,
    },
  };
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
  // The SDK has no class of its own for a failed connection: it throws its base class.
  if (error instanceof GoogleGenerativeAIError) {
    return new ProviderError({ kind: 'unavailable', retryable: true });
  }
  // It trips over a body that is JSON but no object. A TypeError of `fetch` has a cause.
  if (types.isNativeError(error) && error.name === 'TypeError' && error.cause === undefined) {
    return unusableAnswer('invalid_answer', null);
  }
  return classifyBrokenExchange(error);
}
