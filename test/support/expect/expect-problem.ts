import { expect } from '@jest/globals';
import { type ProblemCode, problems } from '../../../contract/problems.js';
import type { Answer } from './expect-conforming.js';

/**
 * Checks a response against the complete problem document.
 * @param status where HTTP has a status of its own for the fault
 */
export function expectProblem(
  answer: Answer,
  code: ProblemCode,
  status: number = problems[code].status,
): void {
  const { body, headers } = answer;
  const { title } = problems[code];
  expect({ status: answer.status, code: body?.code }).toEqual({ status, code });
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  expect(body).toMatchObject({
    type: expect.stringMatching(/^(urn:|https?:)\S+$/),
    title,
    status,
    detail: expect.stringMatching(/\S/),
    request_id: headers.get('x-request-id'),
  });
  expect(body.request_id).toMatch(/^\S{8,}$/);
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

/** `invalid_request`, with exactly these fields by pointer or parameter, and a reason for each. */
export function expectInvalid(answer: Answer, fields: readonly string[]): void {
  expectProblem(answer, 'invalid_request');
  const errors: { pointer?: string; parameter?: string; detail: string }[] = answer.body.errors;
  expect(errors.map(({ pointer, parameter }) => pointer ?? parameter ?? '').sort()).toEqual(
    [...fields].sort(),
  );
  for (const { detail } of errors) expect(detail).toMatch(/\S/);
}
