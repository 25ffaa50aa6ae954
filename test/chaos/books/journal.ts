import { z } from 'zod';
import { receiptShape } from '../../../contract/purchase.js';
import type { ReportStatus } from '../../../council/report.js';
import type { Lane } from '../../../purchase/purchase.js';
import type { Customer } from '../load/customers.js';

/** One request to buy a report, with its response. */
export interface PurchaseAttempt {
  readonly customer: Customer;
  readonly eventId: string;
  readonly lane: Lane | null;
  readonly idempotencyKey: string | null;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
}

/** `silence`: the caller cannot know whether it was charged. */
export type Outcome =
  | {
      readonly kind: 'receipt';
      readonly status: number;
      readonly receipt: Receipt;
      readonly replayed: boolean;
    }
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly code: string;
      readonly detail: string;
      readonly retryAfterSeconds: number;
    }
  | { readonly kind: 'silence'; readonly why: string };

export type Receipt = z.infer<typeof receiptShape>;

/** What was bought, by status and receipt. */
export function kindOf(status: number, receipt: Receipt): 'fresh' | 'cached' | 'owned' {
  if (status === 202) return 'fresh';
  return receipt.cached ? 'cached' : 'owned';
}

/** A report as a caller read it. */
export interface ObservedReport {
  readonly customer: Customer;
  readonly reportId: number;
  readonly status: ReportStatus;
}

/** All requests and responses. */
export class Journal {
  readonly attempts: PurchaseAttempt[] = [];
  readonly observed: ObservedReport[] = [];
  /** Responses that must not occur, such as a 404 for an owned report. */
  readonly anomalies: string[] = [];
}

const problemShape = z.object({
  code: z.string(),
  detail: z.string().default(''),
  outcome: z.literal('unknown').optional(),
});

/** Parses the response to a purchase. */
export function readOutcome(status: number, headers: Headers, body: unknown): Outcome {
  if (status === 200 || status === 202) {
    const replayed = headers.get('idempotent-replayed') === 'true';
    return { kind: 'receipt', status, replayed, receipt: receiptShape.parse(body) };
  }
  const { code, detail, outcome } = problemShape.parse(body);
  if (outcome === 'unknown') return { kind: 'silence', why: 'outcome unknown' };
  const retryAfterSeconds = Number(headers.get('retry-after') ?? 0);
  return { kind: 'refusal', status, code, detail, retryAfterSeconds };
}
