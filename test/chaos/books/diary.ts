import { z } from 'zod';
import { receiptShape } from '../../../contract/purchase.js';
import type { Lane } from '../../../council/purchase/purchase.js';
import type { ReportStatus } from '../../../council/report.js';
import type { Customer } from '../load/customers.js';

/** One POST to buy a report, and what the caller was told. */
export interface Wish {
  readonly customer: Customer;
  readonly eventId: string;
  readonly lane: Lane | null;
  readonly idempotencyKey: string | null;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly told: Told;
}

/** `silence`: the caller cannot know whether it was charged. */
export type Told =
  | {
      readonly kind: 'receipt';
      readonly status: number;
      readonly receipt: Receipt;
      readonly replayed: boolean;
    }
  | { readonly kind: 'refusal'; readonly status: number; readonly code: string; readonly detail: string }
  | { readonly kind: 'silence'; readonly why: string };

export type Receipt = z.infer<typeof receiptShape>;

/** What was bought, as the status and the receipt tell it. */
export function kindOf(status: number, receipt: Receipt): 'fresh' | 'cached' | 'owned' {
  if (status === 202) return 'fresh';
  return receipt.cached ? 'cached' : 'owned';
}

/** A report as a caller once saw it. */
export interface Sighting {
  readonly customer: Customer;
  readonly reportId: number;
  readonly status: ReportStatus;
}

/** All that callers asked and were told. */
export class Diary {
  readonly wishes: Wish[] = [];
  readonly sightings: Sighting[] = [];
  /** Answers of any kind that nobody should get, such as a 404 for one's own report. */
  readonly oddities: string[] = [];
}

const problemShape = z.object({ code: z.string(), detail: z.string().default('') });

/** What an answer to a purchase told. */
export function readTold(status: number, replayed: boolean, body: unknown): Told {
  if (status === 200 || status === 202) {
    return { kind: 'receipt', status, replayed, receipt: receiptShape.parse(body) };
  }
  return { kind: 'refusal', status, ...problemShape.parse(body) };
}
