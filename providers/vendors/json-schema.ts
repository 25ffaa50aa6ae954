import type { JsonSchema } from '../model-provider.js';

/**
 * Removes the keywords that a vendor rejects with 400, at every depth. Answers are validated against the full
 * schema later, so nothing is lost.
 */
export function pruneJsonSchema(schema: JsonSchema, kept: ReadonlySet<string>): JsonSchema {
  const pruned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (kept.has(keyword)) pruned[keyword] = pruneValue(keyword, value, kept);
  }
  return pruned;
}

function pruneValue(keyword: string, value: unknown, kept: ReadonlySet<string>): unknown {
  if (keyword === 'properties' && isSchema(value)) {
    // The keys of `properties` are field names, not keywords.
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, pruneIfSchema(field, kept)]),
    );
  }
  if (keyword === 'items') return pruneIfSchema(value, kept);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map(variant => pruneIfSchema(variant, kept));
  return value;
}

function pruneIfSchema(value: unknown, kept: ReadonlySet<string>): unknown {
  return isSchema(value) ? pruneJsonSchema(value, kept) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts a JSON schema for Gemini's `responseSchema`, a subset of OpenAPI 3.0 without
 * `additionalProperties`, `const`, `$ref` and lists of types. Bounds of numbers are left out: Gemini names them, with long
 * enums, as causes of "too many states for serving", a 400. `propertyOrdering` keeps the schema's order:
 * Gemini's default order is alphabetical, which would put the numbers before the reasons.
 */
export function geminiSchema(schema: JsonSchema): JsonSchema {
  return toGeminiSchema(pruneJsonSchema(schema, keywords));
}

const keywords: ReadonlySet<string> = new Set(
  [
    'type description nullable enum anyOf properties required items',
    'minItems maxItems minLength maxLength pattern',
  ].flatMap(names => names.split(' ')),
);

function toGeminiSchema(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(Array.isArray(rest['enum']) ? { format: 'enum' } : {}),
    ...(isSchema(items) ? { items: toGeminiSchema(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isSchema).map(toGeminiSchema) } : {}),
    ...(isSchema(properties) ? orderedFields(properties) : {}),
  };
}

function orderedFields(properties: JsonSchema): JsonSchema {
  const fields = Object.entries(properties);
  return {
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, isSchema(field) ? toGeminiSchema(field) : field]),
    ),
    propertyOrdering: fields.map(([name]) => name),
  };
}
