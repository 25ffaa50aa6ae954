import type { Vendor } from '../../council/models.js';
import type { AnswerLimits } from '../../providers/answer-limits.js';
import type { JsonSchema } from '../../providers/model-provider.js';
import type { SimulatedSearch } from '../search/findings.js';

/** The server side of one vendor's wire format. */
export interface Dialect {
  /** The HTTP header with the API key. */
  readonly keyHeader: string;
  /** Whether the path, without the vendor's prefix, is that of a completion or a search. */
  isCompletionPath(path: string): boolean;
  /** @throws ZodError or BadRequest if the vendor would respond with 400. */
  readRequest(body: unknown, path: string): CompletionRequest | SearchRequest;
  reply(request: CompletionRequest, answer: WireAnswer, cache: CacheUse): WireReply;
  replyToSearch(request: SearchRequest, answer: SimulatedSearch, cache: CacheUse): WireReply;
  /** How the vendor names the field with the list of blocked hosts; null if it has no such field. */
  readonly blockListField: string | null;
  /** The part before the model's id in the path of its metadata. */
  readonly modelPathPrefix: string;
  /** The part after it, for vendors whose ids contain an unescaped slash. */
  readonly modelPathSuffix?: string;
  /** The vendor's metadata of a model. */
  modelInfo(modelId: string): unknown;
  /** The body of an error in the vendor's format. */
  error(failure: WireFailure): unknown;
}

interface ModelRequest {
  readonly modelId: string;
  readonly system: string;
  readonly user: string;
  /** As the request states them; an effort or budget that it does not state is null. */
  readonly limits: AnswerLimits;
  readonly caching: Caching;
}

/** What a request lets a vendor's prompt cache do. */
export interface Caching {
  /** The vendor whose rules hold: behind OpenRouter, that of the model. */
  readonly vendor: Vendor;
  /** What the model reads before the messages, or what else has to be the same, such as the schema and the effort. */
  readonly settings: unknown;
  /** The lengths of the system and user text at whose ends the vendor stores, if it stores at marks. */
  readonly marks: readonly number[];
}

/** What the cache did for a request: parts of its input tokens that exclude each other. */
export interface CacheUse {
  readonly readTokens: number;
  readonly writtenTokens: number;
  /** Whether a mark of the request counts: enough text is before it. */
  readonly isMarked: boolean;
}

/** A decoded completion request, independent of the vendor's format. */
export interface CompletionRequest extends ModelRequest {
  readonly kind: 'completion';
  /** Only OpenAI's format has a schema name. */
  readonly schemaName: string | null;
  readonly schema: JsonSchema;
}

/** A decoded request with the vendor's web search tool, and without a schema. */
export interface SearchRequest extends ModelRequest {
  readonly kind: 'search';
  /** As the request lists them. */
  readonly blockedHosts: readonly string[];
  /** Null if the request states no maximum. */
  readonly maxSearches: number | null;
  /** Whether it returns a paused answer to have it continued (Anthropic). */
  readonly continues: boolean;
}

export interface WireAnswer {
  /** Derived from the request only, so that equal requests get equal responses. */
  readonly id: string;
  readonly text: string;
  readonly ending: 'complete' | 'truncated' | 'refused' | 'filtered';
}

export interface WireReply {
  readonly status: number;
  readonly body: unknown;
}

export interface WireFailure {
  readonly status: number;
  /** The vendor's error code or type; null for the default of the status. */
  readonly code: string | null;
  /** Value of the `Retry-After` header. */
  readonly retryAfter: string | null;
  readonly message: string;
  /** The field that the vendor rejects. */
  readonly param?: string;
}

/** A request that the vendor would reject. */
export class BadRequest extends Error {}

/** An estimate. */
export const charsPerToken = 4;

export function tokensIn(...texts: readonly string[]): number {
  return Math.ceil(texts.join('').length / charsPerToken);
}

/** The tokens of the pages that one search reads. Vendors bill them as input. */
export const tokensPerSearch = 100;

/**
 * Restrictions of a vendor's structured output, as the vendor documents them; independent of the adapters.
 */
export interface SchemaRules {
  readonly unsupportedKeywords: ReadonlySet<string>;
  /** Every object must have `additionalProperties: false`. */
  readonly closedObjects: boolean;
  /** Every field of every object must be required. */
  readonly allRequired: boolean;
}

/**
 * @throws BadRequest if the vendor would reject the schema with 400. Finds such schemas without a paid call.
 */
export function validateSchema(schema: JsonSchema, rules: SchemaRules): void {
  const unsupported = Object.keys(schema).find(keyword => rules.unsupportedKeywords.has(keyword));
  if (unsupported !== undefined) throw new BadRequest(`unsupported keyword ${unsupported}`);
  const { properties, required } = schema;
  if (isSchema(properties)) {
    if (rules.closedObjects && schema['additionalProperties'] !== false) {
      throw new BadRequest('additionalProperties must be false');
    }
    const names = new Set(Array.isArray(required) ? required : []);
    if (rules.allRequired && Object.keys(properties).some(name => !names.has(name))) {
      throw new BadRequest('required must list every property');
    }
  }
  for (const child of childrenOf(schema)) validateSchema(child, rules);
}

function childrenOf({ properties, items, anyOf }: JsonSchema): JsonSchema[] {
  const fields = isSchema(properties) ? Object.values(properties) : [];
  const variants = Array.isArray(anyOf) ? anyOf : [];
  return [...fields, items, ...variants].filter(isSchema);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
