import type { IRouter, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Operation } from '../../contract/operation.js';
import type { BodiesOf } from '../../contract/operations.js';
import { anyone, type Principal, principalIfAny, sessionOnly } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { sendShared } from './etag.js';
import { parseBody, parseParameters } from './parse.js';
import { Problem } from './problem.js';

/** A request as its operation describes it: the caller is known and everything is parsed. */
export interface OperationCall<Each extends Operation> {
  readonly parameters: Parsed<Each['parameters']>;
  readonly query: Parsed<Each['query']>;
  readonly body: Each extends { readonly body: { readonly schema: infer Schema } } ? Parsed<Schema> : unknown;
  readonly caller: Each['access'] extends 'anyone' | 'session' ? Principal : unknown;
  readonly request: Request;
  readonly response: Response;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** A body that is the same for every caller. Its `ETag` follows from it, and a caller who has it gets a 304. */
export class Shared<Body> {
  readonly body: Body;
  readonly cacheControl: string;

  constructor(body: Body, cacheControl: string) {
    this.body = body;
    this.cacheControl = cacheControl;
  }
}

class Sent {
  readonly isSent = true;
}

/** The result of a handler that has sent its response, such as a stream. */
export const sent = new Sent();

type Result<Body> = Body | Shared<Body> | Sent;

/** A method, so that the handlers of different operations have one type in common. */
interface Serving<Each extends Operation> {
  serve(
    call: OperationCall<Each>,
  ): Result<BodiesOf<Each['answers']>> | Promise<Result<BodiesOf<Each['answers']>>>;
}

type Table = Readonly<Record<string, Operation>>;

/**
 * A function for each operation. It returns the body of the response; the status is the first of the operation's answers
 * unless it sets another one.
 */
export type Handlers<Operations extends Table> = {
  readonly [Id in keyof Operations]: Serving<Operations[Id]>['serve'];
};

/**
 * Registers each operation at its path with its access.
 * @param guards what runs between the access and the parser
 */
export function serveOperations<Operations extends Table>(
  router: IRouter,
  context: ApiContext,
  operations: Operations,
  handlers: Handlers<Operations>,
  guards: { readonly [Id in keyof Operations]?: readonly RequestHandler[] } = {},
): void {
  const handlerOf = new Map<string, Serving<Operation>['serve']>(Object.entries(handlers));
  const guardsOf = new Map<string, readonly RequestHandler[] | undefined>(Object.entries(guards));
  // Those without parameters first: `/api/reports/sample` is no id of a report.
  const inOrder = Object.entries(operations).sort(([, a], [, b]) => variables(a) - variables(b));
  for (const [id, operation] of inOrder) {
    const handler = handlerOf.get(id);
    if (handler === undefined) throw new Error(`${id} has no handler`);
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    router[operation.method](
      path,
      ...accessOf(context, operation),
      ...(guardsOf.get(id) ?? []),
      handle(operation, handler),
    );
  }
}

function variables({ path }: Operation): number {
  return path.split('{').length;
}

function accessOf(context: ApiContext, { access, scope }: Operation): RequestHandler[] {
  if (access === 'anyone') return [anyone(context, scope)];
  return access === 'session' ? [sessionOnly(context)] : [];
}

function handle(operation: Operation, handler: Serving<Operation>['serve']): RequestHandler {
  const status = Number(Object.keys(operation.answers)[0]);
  return async (request, response) => {
    const { query, body } = operation;
    response.status(status);
    const result = await handler({
      query: query === undefined ? {} : parseParameters(query, request.query),
      parameters: parsePath(operation, request),
      body: body === undefined ? undefined : parseBody(body.schema, request),
      caller: principalIfAny(response),
      request,
      response,
    });
    if (result === sent) return;
    if (result instanceof Shared)
      sendShared(request, response, JSON.stringify(result.body), result.cacheControl);
    else if (response.statusCode === 204) response.end();
    else response.json(result);
  };
}

/** A path that names nothing is not found, unless the operation refuses it as invalid. */
function parsePath({ parameters, problems = [] }: Operation, request: Request): unknown {
  if (parameters === undefined) return {};
  if (problems.includes('invalid_request')) return parseParameters(parameters, request.params);
  const parsed = parameters.safeParse(request.params);
  if (parsed.success) return parsed.data;
  const code = problems.includes('event_not_found') ? 'event_not_found' : 'not_found';
  throw new Problem(code, parsed.error.issues[0]?.message ?? 'There is nothing at this path.');
}
