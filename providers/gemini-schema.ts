import type { JsonSchema } from './model-provider.js';
import { pruneJsonSchema } from './prune-json-schema.js';

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
