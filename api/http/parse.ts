import type { Request } from 'express';
import type { z } from 'zod';
import { type FieldError, Problem } from './problem.js';

/** Parses the body by its schema. @throws Problem `invalid_request` that names every invalid field */
export function parseBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  const result = schema.safeParse(request.body);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.flatMap(issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => ({ pointer: pointerTo([...issue.path, key]), detail: 'unknown field' }))
        : [{ pointer: pointerTo(issue.path), detail: issue.message }],
    ),
  );
}

/** Parses path or query parameters by their schema. @throws Problem `invalid_request` */
export function parseParameters<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.map(issue => ({ parameter: issue.path.join('.'), detail: issue.message })),
  );
}

function invalid(errors: readonly FieldError[]): Problem {
  const first = errors[0];
  const name = first?.pointer ?? first?.parameter ?? 'request';
  return new Problem('invalid_request', `${name}: ${first?.detail ?? 'not valid'}`, { errors });
}

function pointerTo(path: readonly PropertyKey[]): string {
  const parts = path.map(part => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  // Through UTF-8, which replaces lone surrogates: `encodeURIComponent` throws on them.
  return ['#', ...parts.map(part => encodeURIComponent(Buffer.from(part).toString()))].join('/');
}
