import type { Lane, Pool } from '../../../purchase/purchase.js';

/** What the model of the money rules remembers. */
export interface Run {
  readonly purchaseId: string;
  readonly account: string;
  readonly event: string;
  readonly day: string;
  readonly at: number;
  readonly lane: Lane;
  readonly pool: Pool | null;
  readonly credits: number;
  reportId: number;
  /** What its calls have cost, in micro-dollars. */
  cost: number;
  state: 'in flight' | 'completed' | 'refunded';
  failedAt: number | null;
  /** The week of the lot that paid. */
  readonly lot: Lot | null;
}

export interface Lot {
  readonly week: number;
  held: number;
  used: boolean;
  usableUntil: number;
}

export interface BoughtPack {
  readonly account: string;
  readonly sessionId: string;
  readonly paymentIntentId: string;
  required: number;
  taken: number;
}

export interface Purse {
  purchased: number;
  readonly lots: Lot[];
  subscribed: boolean;
  hasKeys: boolean;
  suspended: boolean;
  verified: boolean;
  usageCents: number;
}

export type Predicted =
  | { readonly refused: string }
  | { readonly kind: 'fresh' | 'cached' | 'owned'; readonly credits: number; readonly pool: Pool | null };
