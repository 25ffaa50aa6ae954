import type { z } from 'zod';
import { receiptShape } from '../../../contract/purchase.js';
import { problemShape } from '../../../contract/service.js';
import type { ReportStatus } from '../../../council/report.js';
import type { Customer } from '../load/customers.js';

/** One request to buy a report, with its response. */
export interface PurchaseAttempt {
  readonly customer: Customer;
  readonly eventId: string;
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
      readonly retryAfterSeconds: number;
    }
  | { readonly kind: 'silence'; readonly why: string };

export type Receipt = z.infer<typeof receiptShape>;

/** What was bought, by status and receipt. */
export function kindOf(status: number, receipt: Receipt): 'fresh' | 'cached' | 'owned' {
  if (status === 202) return 'fresh';
  return receipt.cached ? 'cached' : 'owned';
}

/** All requests and responses. */
export class Journal {
  readonly attempts: PurchaseAttempt[] = [];
  /** Reports as callers read them. */
  readonly observed: { readonly reportId: number; readonly status: ReportStatus }[] = [];
  /** Responses that must not occur, such as a 404 for an owned report. */
  readonly anomalies: string[] = [];
}

/** Parses the response to a purchase. */
export function readOutcome(status: number, headers: Headers, body: unknown): Outcome {
  if (status === 200 || status === 202) {
    const replayed = headers.get('idempotent-replayed') === 'true';
    return { kind: 'receipt', status, replayed, receipt: receiptShape.parse(body) };
  }
  const { code, outcome } = problemShape.parse(body);
  if (outcome === 'unknown') return { kind: 'silence', why: 'outcome unknown' };
  const retryAfterSeconds = Number(headers.get('retry-after') ?? 0);
  return { kind: 'refusal', status, code, retryAfterSeconds };
}
