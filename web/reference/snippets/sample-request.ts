import type { PlacedOperation } from '../open-api.js';

/** A request that the examples of all languages send. */
export interface SampleRequest {
  /** In upper case. */
  readonly method: string;
  /** With `{parameters}` in braces. */
  readonly template: string;
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  /** Undefined without a body. */
  readonly body: unknown;
  readonly credential: Credential;
  /** Whether the answer is a stream of events. */
  readonly isStream: boolean;
}

type Values = Readonly<Record<string, string | number>>;

export type Credential = 'api key' | 'session' | 'cookie' | 'none';

/** Calls an operation with the examples of the document: what it requires, and what it does not do by itself. */
export function sampleRequest(operation: PlacedOperation): SampleRequest {
  const { parameters = [], requestBody, responses, security } = operation;
  const values = (place: string) =>
    Object.fromEntries(
      parameters
        .filter(each => each.in === place && (each.required || isTelling(each)))
        .flatMap(({ name, example, schema }) => {
          const value = example ?? schema.enum?.[0];
          return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
        }),
    );
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  return {
    method: operation.method,
    template: operation.path,
    path: values('path'),
    query: values('query'),
    headers: values('header'),
    body: example?.value,
    credential: credentialOf(security),
    isStream: Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content),
  };
}

/** An `If-None-Match` or a page number of nobody would only hide what the call is about. */
const isTelling = ({ name }: { readonly name: string }) => name === 'search' || name === 'Idempotency-Key';

function credentialOf(security: PlacedOperation['security']): Credential {
  const schemes = security.flatMap(Object.keys);
  if (schemes.includes('apiKey')) return 'api key';
  if (schemes.includes('session')) return 'session';
  return schemes.includes('sessionCookie') ? 'cookie' : 'none';
}

/** Where the caller's environment has each credential. */
export const credentialVariables = {
  'api key': 'COUNCIL_API_KEY',
  session: 'COUNCIL_SESSION',
  cookie: 'COUNCIL_COOKIE',
} as const;

/**
 * The path and query of the request, encoded. Not that of the client: the reference would load the script of all pages with
 * it.
 */
export function targetOf({
  template,
  path,
  query,
}: Pick<SampleRequest, 'template' | 'path' | 'query'>): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? name),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
