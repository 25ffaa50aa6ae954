import type { APIError, OpenAI } from 'openai';
import type { ModelAnswer } from './model-provider.js';

/** Where those who speak OpenAI's chat completions differ from one another. */
export interface ChatDialect {
  /** The keywords of JSON schema that every model behind this address takes. */
  readonly schemaKeywords: ReadonlySet<string>;
  /** What a request says beside its messages and its schema. */
  extraFields(maxOutputTokens: number): ChatFields;
  /** @throws ProviderError or ZodError for a body that holds no usable answer. */
  readAnswer(body: unknown, modelId: string): ModelAnswer;
  /** @throws ZodError for a body that is no card of a model. */
  fetchCard(client: OpenAI, modelId: string, options: CardOptions): Promise<void>;
  readError(error: APIError): ChatError;
}

export interface ChatFields {
  /** OpenAI's own name of the bound. */
  readonly max_completion_tokens?: number;
  /** The older name of the same. */
  readonly max_tokens?: number;
  /** OpenRouter's choice among those who serve a model. */
  readonly provider?: { readonly require_parameters: boolean };
}

export interface CardOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxRetries: number;
}

/** What an HTTP error says beside its status. */
export interface ChatError {
  /** A code that `classify-http-failure` knows, or any other, or null. */
  readonly code: string | null;
  /** A delay asked for in the body: seconds, such as `30s`. */
  readonly retryDelay: string | null;
}
