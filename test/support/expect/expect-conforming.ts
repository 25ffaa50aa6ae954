import { createOpenApi } from '../../../api/openapi/document.js';
import { pathPattern } from '../../../contract/operations.js';
import { type StrictSchemas, strictSchemas } from './strict-schemas.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Tests read any field of it. */
  readonly body: any;
}

export interface SentRequest {
  readonly method: string;
  /** As it was sent, with or without a query. */
  readonly path: string;
}

let ofThisService: Conformity | undefined;

/**
 * Checks a response against the OpenAPI document: status, headers, content type, and every field of the body;
 * none may be missing or unknown.
 * @throws Error that lists the differences
 */
export function expectConforming(asked: SentRequest, answer: Answer): void {
  ofThisService ??= conformity(createOpenApi('0.0.0'));
  const faults = ofThisService(asked, answer);
  if (faults.length === 0) return;
  const body = JSON.stringify(answer.body)?.slice(0, 1_000);
  throw new Error(
    `${asked.method} ${asked.path} was answered ${answer.status}, not as its OpenAPI description says:\n  ${faults.join('\n  ')}\n${body}`,
  );
}

/** The differences between a response and the document; empty when there are none. */
type Conformity = (asked: SentRequest, answer: Answer) => string[];

/** Routes of libraries, and pages: not part of the JSON interface. */
const elsewhere = /^\/(api\/auth|mcp|docs|llms\.txt|assets)(\/|$)/;

function conformity(document: any): Conformity {
  const operations = operationsOf(document);
  const schemas = strictSchemas(document);
  return ({ method, path }, answer) => {
    const [pathname = ''] = path.split('?');
    const sent = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = operations.find(each => each.method === sent && each.pattern.test(pathname));
    if (operation !== undefined) return faultsOf(document, schemas, operation, answer, method === 'HEAD');
    return elsewhere.test(pathname) || isPage(answer) ? [] : faultsOfRefusal(schemas, method, answer);
  };
}

interface OperationAt {
  readonly template: string;
  readonly pattern: RegExp;
  readonly method: string;
  readonly responses: any;
}

/** Those without parameters first: `/reports/sample` is no id of a report. */
function operationsOf(document: any): OperationAt[] {
  return Object.entries<any>(document.paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .flatMap(([template, methods]) =>
      Object.entries<any>(methods).map(([method, { responses }]) => ({
        template,
        pattern: pathPattern(template),
        method,
        responses,
      })),
    );
}

function faultsOf(
  document: any,
  schemas: StrictSchemas,
  { template, method, responses }: OperationAt,
  answer: Answer,
  isHead: boolean,
): string[] {
  const status = String(answer.status);
  const response = responses[status];
  if (response === undefined) return [`status ${status} is not among ${Object.keys(responses).join(', ')}`];
  const headers = headerFaults(document, schemas, response.headers, answer);
  const types = Object.keys(response.content ?? {});
  if (types.length === 0) return [...headers, ...(answer.body === null ? [] : ['there is a body'])];
  const type = typeOf(answer);
  if (!types.includes(type)) return [...headers, `the type ${type || '(none)'} is not ${types.join(' or ')}`];
  if (isHead) return headers;
  const place = ['paths', template, method, 'responses', status, 'content', type, 'schema'];
  const body = schemas.faultsOf(place, answer.body).map(fault => `body ${fault}`);
  return [...headers, ...body, ...codeFaults(response.content[type], type, answer)];
}

/** A response lists the codes that it can have as its examples. */
function codeFaults({ examples }: any, type: string, { body }: Answer): string[] {
  if (type !== 'application/problem+json') return [];
  const codes = Object.keys(examples);
  return codes.includes(body.code) ? [] : [`the code ${body.code} is not among ${codes.join(', ')}`];
}

function headerFaults(document: any, schemas: StrictSchemas, described: any, { headers }: Answer): string[] {
  return Object.entries<any>(described).flatMap(([name, { $ref }]) => {
    const key = $ref.split('/').at(-1);
    const { required, schema } = document.components.headers[key];
    const value = headers.get(name);
    if (value === null) return required === true ? [`the header ${name} is missing`] : [];
    const read = schema.type === 'integer' ? Number(value) : value;
    const faults = schemas.faultsOf(['components', 'headers', key, 'schema'], read);
    return faults.map(fault => `header ${name}: ${value} ${fault}`);
  });
}

/** A route without an operation must answer with a problem document. */
function faultsOfRefusal(schemas: StrictSchemas, method: string, answer: Answer): string[] {
  if (method === 'OPTIONS') return answer.headers.has('allow') ? [] : ['the header Allow is missing'];
  const { status } = answer;
  if (status < 400) return [`status ${status}, though there is no such operation`];
  if (typeOf(answer) !== 'application/problem+json') return [`the type is ${typeOf(answer) || '(none)'}`];
  if (status === 405 && !answer.headers.has('allow')) return ['the header Allow is missing'];
  return method === 'HEAD' ? [] : schemas.faultsOf(['components', 'schemas', 'Problem'], answer.body);
}

function isPage(answer: Answer): boolean {
  return typeOf(answer) === 'text/html';
}

function typeOf({ headers }: Answer): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
}
