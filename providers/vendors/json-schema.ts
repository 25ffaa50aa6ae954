import type { JsonSchema } from '../model-provider.js';

/**
 * The schema with only those keywords that a vendor takes, at every depth. The others would be refused with 400;
 * nothing is lost, since every answer is validated again by the council's own rules.
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
    // The keys in here are names of fields, not keywords.
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
 * A JSON schema in the dialect of Gemini's `responseSchema`, a subset of OpenAPI 3.0: no `additionalProperties`,
 * `const`, `$ref` or lists of types. Fields are told to come in the schema's order; Gemini's own is alphabetical,
 * which would put the numbers before the reasons.
 */
export function geminiSchema(schema: JsonSchema): JsonSchema {
  return inDialect(pruneJsonSchema(schema, keywords));
}

const keywords: ReadonlySet<string> = new Set(
  [
    'type description nullable enum anyOf properties required items',
    'minItems maxItems minimum maximum minLength maxLength pattern',
  ].flatMap(names => names.split(' ')),
);

function inDialect(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(Array.isArray(rest['enum']) ? { format: 'enum' } : {}),
    ...(isObject(items) ? { items: inDialect(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isObject).map(inDialect) } : {}),
    ...(isObject(properties) ? orderedFields(properties) : {}),
  };
}

function orderedFields(properties: JsonSchema): JsonSchema {
  const fields = Object.entries(properties);
  return {
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, isObject(field) ? inDialect(field) : field]),
    ),
    propertyOrdering: fields.map(([name]) => name),
  };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
