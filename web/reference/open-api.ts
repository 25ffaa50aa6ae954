/** The parts of the service's own OpenAPI document that the reference shows. */
export interface OpenApi {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
}

/** By media type. */
type Content = Readonly<Record<string, MediaType>>;

export interface MediaType {
  readonly schema?: Schema | undefined;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary?: string;
  readonly value?: unknown;
}

interface Header {
  readonly description: string;
}

/** A JSON Schema (draft 2020-12), as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An operation with what the document says by its place: method and path. */
export interface PlacedOperation extends OpenApiOperation {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
}

/** All operations, in the order of the document. */
export function operationsOf({ paths }: OpenApi): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The schemas of which a schema consists, besides its properties: items, alternatives, values of a map. */
export function partsOf({
  items,
  anyOf = [],
  oneOf = [],
  allOf = [],
  additionalProperties,
}: Schema): Schema[] {
  return [
    ...(items === undefined ? [] : [items]),
    ...anyOf,
    ...oneOf,
    ...allOf,
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
}

/** The last part of a reference such as `#/components/schemas/Report`. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** The media type of a body, and what the document says of it; null without a body. */
export function bodyOf({
  content,
}: {
  readonly content?: Content;
}): { readonly type: string; readonly media: MediaType } | null {
  const [first] = Object.entries(content ?? {});
  return first === undefined ? null : { type: first[0], media: first[1] };
}
