import { z } from 'zod';

/** A JSON Schema (draft 2020-12) or a part of one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** `input`: requests. `output`: responses, and parameters as they are after parsing. */
type Direction = 'input' | 'output';

/** The JSON Schemas of some shapes. Those with an `id` of their own are among `named`, the others refer to them. */
export interface JsonSchemas {
  readonly named: Readonly<Record<string, JsonObject>>;
  /** By the key of the shape. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

export function jsonSchemas(shapes: Readonly<Record<string, z.ZodType>>, io: Direction): JsonSchemas {
  const text = JSON.stringify(z.toJSONSchema(z.object(shapes), { io }));
  const { $defs = {}, properties = {} } = object(
    JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')),
  );
  const readableMap = (map: Json) =>
    Object.fromEntries(Object.entries(object(map)).map(([key, each]) => [key, readable(object(each), io)]));
  return { named: readableMap($defs), schemas: readableMap(properties) };
}

export function object(value: Json | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !isList(value)) return value;
  throw new TypeError('not a JSON object');
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** In the form that generators of clients read: without noise, tuples as arrays, `null` as a type. */
function readable(schema: JsonObject, direction: Direction): JsonObject {
  return withPrecision(withNullAsType(withTuplesAsArrays(withoutNoise(schema, direction))));
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
  return Object.fromEntries(cleaned);
}

function mapValues(map: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

function inside(value: Json, direction: Direction): Json {
  if (isList(value)) return value.map(item => inside(item, direction));
  return typeof value === 'object' && value !== null ? readable(value, direction) : value;
}

function isNoise(key: string, value: Json, direction: Direction): boolean {
  switch (key) {
    case '$schema':
    case '$id':
    case 'readOnly':
    case 'id':
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

/**
 * Describes a tuple of equal items as an array of that length. `prefixItems` with `items: false` stops
 * openapi-python-client and oapi-codegen.
 * @throws Error for a tuple of different items, which has no such form
 */
function withTuplesAsArrays(schema: JsonObject): JsonObject {
  const { prefixItems, ...rest } = schema;
  if (prefixItems === undefined || !isList(prefixItems)) return schema;
  const [item] = prefixItems;
  const isOfOneKind = prefixItems.every(each => JSON.stringify(each) === JSON.stringify(item));
  if (item === undefined || !isOfOneKind || rest['items'] !== false)
    throw new Error('a tuple of different items cannot be published; use an object');
  return { ...rest, items: item };
}

/** Every number has a format: oapi-codegen reads one without it in single precision, 0.53 as 0.529999971. */
function withPrecision(schema: JsonObject): JsonObject {
  const isNumber = [schema['type']].flat().includes('number');
  return isNumber && schema['format'] === undefined ? { ...schema, format: 'double' } : schema;
}
