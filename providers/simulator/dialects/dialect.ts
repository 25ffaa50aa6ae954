import type { JsonSchema } from '../../model-provider.js';

/** One vendor's wire format, from the server's side. */
export interface Dialect {
  /** The HTTP header in which the vendor expects the key. */
  readonly keyHeader: string;
  /** True for the path (below the vendor's prefix) at which this vendor's models are asked. */
  isCompletionPath(path: string): boolean;
  /** @throws ZodError or BadRequest for a request that the vendor would answer with 400. */
  readRequest(body: unknown, path: string): CompletionRequest;
  reply(ask: CompletionRequest, answer: Answer): WireReply;
  /** What comes before the model's id in the path of its card. */
  readonly modelPathPrefix: string;
  /** What comes after it, at a vendor whose ids keep their slash there. */
  readonly modelPathSuffix?: string;
  /** What the vendor tells of a model that it knows. */
  card(modelId: string): unknown;
  /** The body of an error in the vendor's shape. */
  error(failure: WireFailure): unknown;
}

/** What a vendor was asked, whatever the format it came in. */
export interface CompletionRequest {
  readonly modelId: string;
  readonly system: string;
  readonly user: string;
  /** Only OpenAI's format names the schema. */
  readonly schemaName: string | null;
  readonly schema: JsonSchema;
}

export interface Answer {
  /** The same for the same question: no clock and no counter goes into an answer. */
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
  /** The vendor's own error code or type; null for the usual one of the status. */
  readonly code: string | null;
  /** As in the `Retry-After` header. */
  readonly retryAfter: string | null;
  readonly message: string;
}

/** A request that the vendor would refuse. */
export class BadRequest extends Error {}

/** Vendors count tokens, the simulator characters: about four make a token. */
export function tokensIn(...texts: readonly string[]): number {
  return Math.ceil(texts.join('').length / 4);
}

/** What a vendor's structured output does not take. Written from the vendors' side, not from our adapters'. */
export interface SchemaRules {
  readonly refusedKeywords: ReadonlySet<string>;
  /** Every object must say `additionalProperties: false`. */
  readonly closedObjects: boolean;
  /** Every field of every object must be required. */
  readonly allRequired: boolean;
}

/** @throws BadRequest where the vendor would answer 400, so that a schema it refuses is found without paying it. */
export function refuseSchema(schema: JsonSchema, rules: SchemaRules): void {
  const refused = Object.keys(schema).find(keyword => rules.refusedKeywords.has(keyword));
  if (refused !== undefined) throw new BadRequest(`unsupported keyword ${refused}`);
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
  for (const child of childrenOf(schema)) refuseSchema(child, rules);
}

function childrenOf({ properties, items, anyOf }: JsonSchema): JsonSchema[] {
  const fields = isSchema(properties) ? Object.values(properties) : [];
  const variants = Array.isArray(anyOf) ? anyOf : [];
  return [...fields, items, ...variants].filter(isSchema);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
