import type { Problem } from './api-types.js';

/**
 * Codes of failures that the API did not report.
 *
 * - `unreachable`: no response, or none in time
 * - `unexpected_answer`: a response that is not one of this API
 * - `purchase_unknown`: a purchase was sent twice under one key, and its outcome is still unknown
 * - `over_max_credits`, `over_max_usd`: the price is above the limit, and nothing was bought
 * - `report_failed`: the run failed, and its charge was refunded or is not billed
 * - `invalid_webhook`: the signature of a delivery is not valid, or its time is too far away
 */
type ClientProblemCode =
  | 'purchase_unknown'
  | 'unreachable'
  | 'unexpected_answer'
  | 'over_max_credits'
  | 'over_max_usd'
  | 'report_failed'
  | 'invalid_webhook';

export type CouncilProblemCode = Problem['code'] | ClientProblemCode;

/** What a problem document has beside code, status and text. Which of them are set depends on the code. */
type ProblemFields = Partial<Omit<Problem, 'code' | 'status'>>;

/** An error that may have these fields. */
const ErrorWithFields: new (message: string, options: ErrorOptions) => Error & ProblemFields = Error;

interface ProblemDetails {
  readonly baseUrl?: string;
  readonly document?: Problem;
  readonly retryAfterSeconds?: number | null;
  readonly reportId?: number | null;
  readonly cause?: unknown;
  /** Fields of a problem that the API did not report. */
  readonly fields?: ProblemFields;
}

/**
 * The one error of this package: a response outside 2xx, no usable response at all, a price above the limit, or a run that
 * failed. Branch on `code`. The message is the `detail` of the problem; its other fields, such as `cost_credits`,
 * `resets_at` or `errors`, are those of the error.
 */
export class CouncilProblem extends ErrorWithFields {
  readonly code: CouncilProblemCode;
  /** The HTTP status; null without a problem document of the API. */
  readonly status: number | null;
  /** How long to wait before the next try, in seconds; null if the API did not say. */
  readonly retryAfterSeconds: number | null;
  /** The report that was bought before this happened; null if none was. */
  readonly reportId: number | null;
  /** Where the service was looked for; empty if it was not asked. */
  readonly baseUrl: string;
  /** The whole document as the API sent it; null where it sent none. */
  readonly document: Problem | null;

  constructor(code: CouncilProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail, { cause: details.cause });
    this.name = 'CouncilProblem';
    this.code = code;
    this.baseUrl = details.baseUrl ?? '';
    this.document = details.document ?? null;
    this.status = details.document?.status ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.reportId = details.reportId ?? null;
    Object.assign(this, details.document ?? details.fields);
  }
}
