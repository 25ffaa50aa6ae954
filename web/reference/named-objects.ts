import { bodyOf, nameIn, type OpenApi, operationsOf, partsOf, type Schema } from './open-api.js';

/**
 * The named schemas that the fields of bodies refer to, by name. The bodies themselves are shown where they are sent and
 * answered.
 */
export function namedObjects(document: OpenApi): [name: string, schema: Schema][] {
  const { schemas } = document.components;
  const found = new Set<string>();
  const visit = (schema: Schema): void => {
    for (const name of namesIn(schema)) {
      const named = schemas[name];
      if (found.has(name) || named === undefined) continue;
      found.add(name);
      visit(named);
    }
  };
  for (const { requestBody, responses, parameters = [] } of operationsOf(document)) {
    for (const { schema } of parameters) visit(schema);
    for (const part of [requestBody ?? {}, ...Object.values(responses)]) {
      const { schema } = bodyOf(part)?.media ?? {};
      if (schema === undefined) continue;
      const { $ref } = schema;
      const named = $ref === undefined ? undefined : schemas[nameIn($ref)];
      // A body that is a type without fields, such as a choice of objects, links to its name.
      visit(named?.properties === undefined ? schema : named);
    }
  }
  return [...found].sort().flatMap(name => {
    const schema = schemas[name];
    return schema === undefined ? [] : [[name, schema]];
  });
}

/** The names that a schema refers to itself, at any depth. */
function namesIn(schema: Schema): string[] {
  const { $ref, properties = {} } = schema;
  const inside = [...Object.values(properties), ...partsOf(schema)].flatMap(namesIn);
  return $ref === undefined ? inside : [nameIn($ref), ...inside];
}
