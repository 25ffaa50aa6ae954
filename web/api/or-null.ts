import { ApiProblem } from './api-problem.js';

/**
 * For `catch`: that something is not there is an answer too. It is kept like any other, so that the server's page and the
 * browser's say the same of it from the first moment.
 */
export function orNull(code: ApiProblem['code']): (error: unknown) => null {
  return error => {
    if (error instanceof ApiProblem && error.code === code) return null;
    throw error;
  };
}
