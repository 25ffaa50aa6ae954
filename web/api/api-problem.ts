import type { ProblemView } from '../../contract/problems.js';

/** An answer of the API outside 2xx, or none at all. */
export class ApiProblem extends Error {
  readonly code: ProblemView['code'] | 'unreachable';
  /** The whole document; null where the API did not answer. */
  readonly document: ProblemView | null;
  readonly retryAfterSeconds: number | null;

  constructor(document: ProblemView | null, retryAfterSeconds: number | null = null) {
    super(document?.detail ?? 'The service cannot be reached. Check your connection and try again.');
    this.name = 'ApiProblem';
    this.code = document?.code ?? 'unreachable';
    this.document = document;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
