import type { FunctionDeclarationsTool } from '@google/generative-ai';
import type { ResponseCreateParamsNonStreaming, WebSearchTool } from 'openai/resources/responses/responses';

/**
 * Fields that the vendors' APIs document and the installed SDKs have no types for yet. The SDKs send them unchanged.
 * Each type extends the SDK's own, so that it needs no assertion, and an SDK that gives such a field another type does
 * not compile.
 */
export interface NewerResponseRequest extends ResponseCreateParamsNonStreaming {
  readonly tools: NewerWebSearchTool[];
  /** Calls of all built-in tools together: searches, and pages opened. */
  readonly max_tool_calls?: number;
}

export interface NewerWebSearchTool extends WebSearchTool {
  readonly filters?: NewerFilters;
}

interface NewerFilters extends WebSearchTool.Filters {
  /** OpenAI's name for the list. */
  readonly blocked_domains?: readonly string[];
  /** xAI's name for the list. */
  readonly excluded_domains?: readonly string[];
}

/** The SDK's `googleSearchRetrieval` is for Gemini 1.5; later models answer it with 400. */
export interface GoogleSearchTool extends FunctionDeclarationsTool {
  readonly googleSearch: Readonly<Record<string, never>>;
}
