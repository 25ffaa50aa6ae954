import type { JsonSchema } from '../model-provider.js';
import { BadAsk } from './dialect.js';

/** What a vendor's structured output does not take. Written from the vendors' side, not from our adapters'. */
export interface SchemaRules {
  readonly refusedKeywords: ReadonlySet<string>;
  /** Every object must say `additionalProperties: false`. */
  readonly closedObjects: boolean;
  /** Every field of every object must be required. */
  readonly allRequired: boolean;
}

/** @throws BadAsk where the vendor would answer 400, so that a schema it refuses is found without paying it. */
export function refuseSchema(schema: JsonSchema, rules: SchemaRules): void {
  const refused = Object.keys(schema).find(keyword => rules.refusedKeywords.has(keyword));
  if (refused !== undefined) throw new BadAsk(`unsupported keyword ${refused}`);
  const { properties, required } = schema;
  if (isSchema(properties)) {
    if (rules.closedObjects && schema['additionalProperties'] !== false) {
      throw new BadAsk('additionalProperties must be false');
    }
    const names = new Set(Array.isArray(required) ? required : []);
    if (rules.allRequired && Object.keys(properties).some(name => !names.has(name))) {
      throw new BadAsk('required must list every property');
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
