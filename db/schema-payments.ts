import type { ColumnType } from 'kysely';
import type { KeyVendor } from '../council/models.js';
import type { Frozen } from './column-types.js';

/** The tables of grants, callers' keys and payments; see `schema.ts`. */

export interface WeeklyGrantsTable {
  account_id: Frozen<string>;
  /** YYYY-MM-DD: the Monday, UTC, of the week it was given for. */
  week: Frozen<string>;
  used_by: string | null;
  held_credits: number;
  usable_until: Date;
  created_at: Frozen<Date>;
}

export interface ProviderKeysTable {
  id: Frozen<string>;
  account_id: Frozen<string>;
  provider: Frozen<KeyVendor>;
  kid: string;
  iv: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
  last4: string;
  updated_at: Date;
}

export interface BillingCustomersTable {
  account_id: Frozen<string>;
  stripe_customer_id: Frozen<string>;
  created_at: Frozen<Date>;
}

export interface SubscriptionsTable {
  account_id: Frozen<string>;
  stripe_subscription_id: string;
  /** Stripe's word for it. */
  status: string;
  period_start: Date;
  period_end: Date;
  cancel_at_period_end: boolean;
  updated_at: Date;
}

export interface CheckoutsTable {
  id: Frozen<string>;
  account_id: Frozen<string>;
  pack_id: Frozen<string>;
  credits: Frozen<number>;
  price_usd_cents: Frozen<number>;
  stripe_session_id: ColumnType<string | null, never, string>;
  stripe_payment_intent_id: ColumnType<string | null, never, string>;
  purchase_transfer_id: ColumnType<number | null, never, number>;
  refunded_usd_cents: ColumnType<number, never, number>;
  disputed: ColumnType<boolean, never, boolean>;
  taken_back_credits: ColumnType<number, never, number>;
  owed_credits: ColumnType<number, never, number>;
  created_at: Frozen<Date>;
  paid_at: ColumnType<Date | null, never, Date>;
}

export type UsageState = 'pending' | 'sent' | 'void' | 'held';

export interface UsageOutboxTable {
  id: Frozen<string>;
  account_id: Frozen<string>;
  report_id: Frozen<number>;
  kind: Frozen<'fresh' | 'cached'>;
  amount_usd_cents: Frozen<number>;
  stripe_customer_id: Frozen<string>;
  state: UsageState;
  occurred_at: Frozen<Date>;
  first_tried_at: ColumnType<Date | null, never, Date>;
  settled_at: ColumnType<Date | null, never, Date>;
  void_reason: ColumnType<string | null, never, string>;
}
