import { z } from 'zod';

/** A JSON Schema (draft 2020-12) or a part of one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** `input`: requests. `output`: responses. */
type Direction = 'input' | 'output';

/** The JSON Schemas of named shapes, which refer to each other by `$ref`. */
export function namedSchemas(
  shapes: Readonly<Record<string, z.ZodType>>,
  direction: Direction,
): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(shapes)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, { io: direction, uri: schemaReference });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutNoise(plain(schema), direction)]),
  );
}

/** The JSON Schema of each parameter after parsing, for example a number instead of its text. */
export function parameterSchemas(parameters: z.ZodObject): Record<string, JsonObject> {
  const { properties } = plain(z.toJSONSchema(parameters, { io: 'output' }));
  return Object.fromEntries(
    Object.entries(object(properties)).map(([name, schema]) => [
      name,
      withoutNoise(object(schema), 'output'),
    ]),
  );
}

export function requiredParameters(parameters: z.ZodObject): readonly Json[] {
  const { required } = plain(z.toJSONSchema(parameters, { io: 'input' }));
  return Array.isArray(required) ? required : [];
}

export function schemaReference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Through JSON text, which drops zod's non-JSON properties. */
function plain(schema: unknown): JsonObject {
  return object(JSON.parse(JSON.stringify(schema)));
}

function object(value: Json | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !isList(value)) return value;
  throw new TypeError('not a JSON object');
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Removes keywords that tell a reader nothing. Responses lose `additionalProperties: false` too, because
 * clients must accept fields that are added later. Requests keep it: unknown fields are refused.
 */
function withoutNoise(schema: JsonObject, direction: Direction): JsonObject {
  const kept = Object.entries(schema).filter(([key, value]) => !isNoise(key, value, direction));
  const cleaned = kept.map(([key, value]) => [
    key,
    key === 'properties'
      ? mapValues(object(value), each => inside(each, direction))
      : inside(value, direction),
  ]);
  return withNullAsType(Object.fromEntries(cleaned));
}

function mapValues(map: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

function inside(value: Json, direction: Direction): Json {
  if (isList(value)) return value.map(item => inside(item, direction));
  return typeof value === 'object' && value !== null ? withoutNoise(value, direction) : value;
}

function isNoise(key: string, value: Json, direction: Direction): boolean {
  switch (key) {
    case '$schema':
    case '$id':
    case 'readOnly':
      return true;
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}';
    case 'additionalProperties':
      return value === false && direction === 'output';
    default:
      return false;
  }
}

/** Turns `anyOf` of a type and null into `type: [type, 'null']`. */
function withNullAsType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined || !isList(anyOf) || anyOf.length !== 2) return schema;
  const [one, none] = anyOf.map(object);
  if (one === undefined || none?.['type'] !== 'null') return schema;
  const { type } = one;
  const isPlain = typeof type === 'string' && type !== 'object' && type !== 'array';
  if (!isPlain || 'enum' in one || 'const' in one) return schema;
  return { ...one, ...rest, type: [type, 'null'] };
}
