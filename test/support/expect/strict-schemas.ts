import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Validators of the schemas in an OpenAPI document, found by their place in it and compiled at first use. */
export interface StrictSchemas {
  /** The faults of a value; empty when it is valid. @param path keys from the document's root */
  faultsOf(path: readonly string[], value: unknown): string[];
}

/**
 * Clients must ignore unknown fields; tests must not, or an undescribed field would go unnoticed. So every
 * object of `components.schemas` is closed here unless it is declared open.
 */
export function strictSchemas(document: any): StrictSchemas {
  // No meta-schema: it knows no key of an OpenAPI document, so it would check nothing, and compiling it takes long.
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, validateSchema: false });
  addFormats.default(ajv);
  // The schemas are resolved within the document, so its own keys must be known too.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(closed(document), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return {
    faultsOf(path, value) {
      const pointer = path.map(escaped).join('/');
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` });
      compiled.set(pointer, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

function closed(document: any): any {
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, close(schema)]),
  );
  return { ...document, components: { ...document.components, schemas } };
}

function close(schema: any): any {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  const isObject = schema.type === 'object' && typeof schema.properties === 'object';
  return isObject && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** RFC 6901, in a URI fragment. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
