import type { ReactNode } from 'react';
import { objectAnchor } from './anchors.js';
import { nameIn, type Schema } from './open-api.js';

/** The type of a value in words, with links to the objects that it names: "list of EventMarket", "string or null". */
export function TypeText({ schema }: { readonly schema: Schema }): ReactNode {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref);
    return <a href={`#${objectAnchor(name)}`}>{name}</a>;
  }
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives !== undefined) return <Alternatives schemas={alternatives} />;
  if (schema.enum !== undefined) return schema.enum.map(value => JSON.stringify(value)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items !== undefined) {
    return (
      <>
        list of <TypeText schema={schema.items} />
      </>
    );
  }
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined) {
    return (
      <>
        map of <TypeText schema={schema.additionalProperties} />
      </>
    );
  }
  return [schema.type ?? 'any value'].flat().join(' or ');
}

/** Two anonymous objects are one word here: their fields are listed below. */
function Alternatives({ schemas }: { readonly schemas: readonly Schema[] }): ReactNode {
  const distinct = schemas.filter(
    (schema, index) =>
      schema.type !== 'object' || schemas.findIndex(other => other.type === 'object') === index,
  );
  return distinct.map((schema, index) => (
    <span key={schema.$ref ?? JSON.stringify(schema)}>
      {index === 0 ? '' : ' or '}
      <TypeText schema={schema} />
    </span>
  ));
}

/** What a value must satisfy beyond its type, in words; empty if there is nothing. */
export function limitsText(schema: Schema): string {
  return [
    range(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum === undefined ? '' : `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? '' : `less than ${schema.exclusiveMaximum}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.format === undefined || schema.format === 'double' ? '' : schema.format,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && least === most) return `${least}${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? '' : `at least ${least}${unit}`;
}
