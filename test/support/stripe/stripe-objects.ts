/** The fields of Stripe's objects that the stand-in implements. */
export interface Session {
  readonly id: string;
  readonly object: string;
  readonly mode: string;
  readonly url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: string;
  payment_intent: string | null;
  subscription: string | null;
  readonly customer: string | null;
  readonly client_reference_id: string | null;
  readonly amount_total: number;
  readonly currency: string;
  readonly metadata: Record<string, string | null>;
  /** The fields of the request. */
  readonly form: Record<string, string>;
}

export interface Payment {
  readonly id: string;
  readonly object: string;
  readonly payment_intent: string;
  readonly customer: string | null;
  readonly amount_captured: number;
  readonly currency: string;
  amount_refunded: number;
  readonly disputes: Dispute[];
}

export interface Dispute {
  readonly id: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  status: string;
}

export interface Subscription {
  readonly id: string;
  readonly object: string;
  readonly customer: string;
  status: string;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  ended_at: number | null;
  readonly items: {
    object: string;
    data: { current_period_start: number; current_period_end: number }[];
  };
}

export interface MeterEvent {
  readonly identifier: string;
  readonly event_name: string;
  readonly customer: string;
  readonly value: string;
  readonly timestamp: number;
  cancelled: boolean;
}
