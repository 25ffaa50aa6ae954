/**
 * The types of the API: of each operation what it takes and answers, and the events of streams and webhooks.
 * `npm run client-types` writes this file from the operation table of the service.
 */

export interface Operations {
  /** Search events. */
  readonly 'GET /api/events': {
    readonly query?: {
      /** Page number, starting at 1; `page × per_page` is at most 1000. The list is empty after the last page. */
      readonly page?: number | undefined;
      /** Items per page. */
      readonly per_page?: number | undefined;
      /** Text to search for in title, rules and market names, case-insensitive. Defaults to all events. */
      readonly search?: string | undefined;
      /** The venue to search. Defaults to all that the service sells reports on. */
      readonly venue?: Venue | undefined;
      /** Events of one category. Each venue files them under names of its own. */
      readonly category?: 'politics' | 'world' | 'economy' | 'crypto' | 'sports' | 'culture' | 'science' | 'weather' | undefined;
      /**
       * relevance: best match first, or most traded first without a search text. volume: most traded first.
       * closing: next to close first.
       */
      readonly sort?: 'relevance' | 'volume' | 'closing' | undefined;
      /** Trading status of the events. */
      readonly status?: 'open' | 'closed' | 'all' | undefined;
    } | undefined;
    readonly answer: EventList;
  };
  /** Read an event. */
  readonly 'GET /api/events/{event_id}': {
    readonly path: {
      /** Identifier of the event, from `GET /api/events`, or its slug at the market platform. */
      readonly event_id: string;
    };
    readonly answer: Event;
  };
  /** Read past prices of a market. */
  readonly 'GET /api/events/{event_id}/prices': {
    readonly path: {
      /** Identifier of the event, from `GET /api/events`, or its slug at the market platform. */
      readonly event_id: string;
    };
    readonly query?: {
      /** Slug or name of a market of the event. Defaults to its first market. */
      readonly market?: string | undefined;
      /** Start of the prices. Defaults to 30 days before `to`. */
      readonly from?: string | undefined;
      /** End of the prices. Defaults to now. */
      readonly to?: string | undefined;
    } | undefined;
    readonly answer: EventPrices;
  };
  /** Check the price of a report. */
  readonly 'GET /api/reports/check/{event_id}': {
    readonly path: {
      /** Identifier of the event, from `GET /api/events`, or its slug at the market platform. */
      readonly event_id: string;
    };
    readonly query?: {
      /**
       * How to pay. Defaults to `subscription` for a request with an API key of an account that has one, otherwise
       * to `credits`.
       */
      readonly lane?: Lane | undefined;
      /**
       * The fewest valid opinions of a report that you buy. A run with fewer fails as `quorum_lost` and is
       * refunded in full, and a cached report with fewer is not sold to you. A report that you own stays yours.
       * Send what you will buy with, so that the price is true.
       */
      readonly min_members?: number | undefined;
    } | undefined;
    readonly answer: Check;
  };
  /** Buy a report. */
  readonly 'POST /api/reports': {
    readonly body: Purchase;
    readonly answer: Receipt;
  };
  /** List your reports. */
  readonly 'GET /api/reports': {
    readonly query?: {
      /** Page number, starting at 1. The list is empty after the last page. */
      readonly page?: number | undefined;
      /** Items per page. */
      readonly per_page?: number | undefined;
      /** Return only reports with this status. */
      readonly status?: ReportStatus | undefined;
    } | undefined;
    readonly answer: ReportList;
  };
  /** Read a report. */
  readonly 'GET /api/reports/{id}': {
    readonly path: {
      /** Identifier of the report. */
      readonly id: number;
    };
    readonly answer: Report;
  };
  /** Read the sample report. */
  readonly 'GET /api/reports/sample': {
    readonly answer: Report;
  };
  /** Follow a report. */
  readonly 'GET /api/reports/{id}/events': {
    readonly path: {
      /** Identifier of the report. */
      readonly id: number;
    };
    readonly answer: null;
  };
  /** Buy reports on many events. */
  readonly 'POST /api/batches': {
    readonly body: NewBatch;
    readonly answer: BatchPlan | Batch;
  };
  /** List your batches. */
  readonly 'GET /api/batches': {
    readonly query?: {
      /** Page number, starting at 1. The list is empty after the last page. */
      readonly page?: number | undefined;
      /** Items per page. */
      readonly per_page?: number | undefined;
    } | undefined;
    readonly answer: BatchList;
  };
  /** Read a batch. */
  readonly 'GET /api/batches/{id}': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly answer: Batch;
  };
  /** List the rows of a batch. */
  readonly 'GET /api/batches/{id}/rows': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly query?: {
      /** Return only rows in this state. */
      readonly state?: BatchRowState | undefined;
      /** Return only rows after this position. Pass `next` of the previous response. */
      readonly after?: number | undefined;
      /** Maximum number of items in the response. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly answer: BatchRowList;
  };
  /** Pause, resume or cancel a batch, or change its budget. */
  readonly 'PATCH /api/batches/{id}': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly body: BatchChanges;
    readonly answer: Batch;
  };
  /** Try failed and refused rows again. */
  readonly 'POST /api/batches/{id}/retry': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly answer: Batch;
  };
  /** Download the results of a batch. */
  readonly 'GET /api/batches/{id}/results': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly query?: {
      /** The format of the file. */
      readonly format?: BatchResultsFormat | undefined;
    } | undefined;
    readonly answer: null;
  };
  /** Read what to cite of a batch. */
  readonly 'GET /api/batches/{id}/manifest': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly answer: BatchManifest;
  };
  /** Follow a batch. */
  readonly 'GET /api/batches/{id}/events': {
    readonly path: {
      /** Identifier of the batch. */
      readonly id: string;
    };
    readonly answer: null;
  };
  /** Read the track record. */
  readonly 'GET /api/stats/track-record': {
    readonly answer: TrackRecord;
  };
  /** Export every graded report. */
  readonly 'GET /api/stats/track-record/reports': {
    readonly query?: {
      /** Return only reports with an id greater than this one. Pass the last id of the previous response. */
      readonly after?: number | undefined;
      /** Maximum number of rows. Defaults to all. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly answer: TrackRecordExport;
  };
  /** Read the chain of forecasts. */
  readonly 'GET /api/stats/track-record/chain': {
    readonly query?: {
      /** Return only entries with a number greater than this one. Pass the last number of the previous response. */
      readonly after?: number | undefined;
      /** Maximum number of items in the response. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly answer: Chain;
  };
  /** List the time stamps of the chain. */
  readonly 'GET /api/stats/track-record/timestamps': {
    readonly query?: {
      /** Return only receipts with an `id` greater than this one. Pass the last one of the previous response. */
      readonly after?: number | undefined;
      /** Maximum number of items in the response. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly answer: RecordTimestamps;
  };
  /** Read the prices. */
  readonly 'GET /api/credits/pricing': {
    readonly answer: Pricing;
  };
  /** List credit packs. */
  readonly 'GET /api/credits/packs': {
    readonly answer: PackList;
  };
  /** Read your balance. */
  readonly 'GET /api/credits/balance': {
    readonly answer: Balance;
  };
  /** List ledger entries. */
  readonly 'GET /api/credits/ledger': {
    readonly query?: {
      /** Page number, starting at 1. The list is empty after the last page. */
      readonly page?: number | undefined;
      /** Items per page. */
      readonly per_page?: number | undefined;
    } | undefined;
    readonly answer: Ledger;
  };
  /** Read plan and usage. */
  readonly 'GET /api/billing/status': {
    readonly answer: BillingStatus;
  };
  /** Buy a pack of credits. */
  readonly 'POST /api/billing/checkout': {
    readonly body: Checkout;
    readonly answer: PackCheckout;
  };
  /** Subscribe. */
  readonly 'POST /api/billing/subscription': {
    readonly body?: Subscription | undefined;
    readonly answer: BillingStatus | SubscriptionCheckout;
  };
  /** Open the billing portal. */
  readonly 'POST /api/billing/portal': {
    readonly body?: PortalRequest | undefined;
    readonly answer: BillingPortal;
  };
  /** Cancel the subscription. */
  readonly 'DELETE /api/billing/subscription': {
    readonly answer: BillingStatus;
  };
  /** Receive a payment event. */
  readonly 'POST /api/billing/webhook': {
    readonly body: PaymentEvent;
    readonly answer: WebhookAnswer;
  };
  /** Create an API key. */
  readonly 'POST /api/keys': {
    readonly body: NewApiKey;
    readonly answer: MintedApiKey;
  };
  /** List your API keys. */
  readonly 'GET /api/keys': {
    readonly answer: ApiKeyList;
  };
  /** Revoke an API key. */
  readonly 'DELETE /api/keys/{key_id}': {
    readonly path: {
      /** Identifier of the key, from `GET /api/keys`. */
      readonly key_id: string;
    };
    readonly answer: null;
  };
  /** List your provider keys. */
  readonly 'GET /api/provider-keys': {
    readonly answer: ProviderKeyList;
  };
  /** Read a provider key. */
  readonly 'GET /api/provider-keys/{provider}': {
    readonly path: {
      /** The provider of the key. An `openrouter` key replaces all the others. */
      readonly provider: Provider;
    };
    readonly answer: ProviderKey;
  };
  /** Store a provider key. */
  readonly 'PUT /api/provider-keys/{provider}': {
    readonly path: {
      /** The provider of the key. An `openrouter` key replaces all the others. */
      readonly provider: Provider;
    };
    readonly body: NewProviderKey;
    readonly answer: ProviderKey;
  };
  /** Delete a provider key. */
  readonly 'DELETE /api/provider-keys/{provider}': {
    readonly path: {
      /** The provider of the key. An `openrouter` key replaces all the others. */
      readonly provider: Provider;
    };
    readonly answer: null;
  };
  /** Create a webhook. */
  readonly 'POST /api/webhooks': {
    readonly body: NewWebhook;
    readonly answer: CreatedWebhook;
  };
  /** List your webhooks. */
  readonly 'GET /api/webhooks': {
    readonly answer: WebhookList;
  };
  /** Change a webhook. */
  readonly 'PATCH /api/webhooks/{id}': {
    readonly path: {
      /** Identifier of the webhook, from `GET /api/webhooks`. */
      readonly id: string;
    };
    readonly body: WebhookChanges;
    readonly answer: Webhook;
  };
  /** Delete a webhook. */
  readonly 'DELETE /api/webhooks/{id}': {
    readonly path: {
      /** Identifier of the webhook, from `GET /api/webhooks`. */
      readonly id: string;
    };
    readonly answer: null;
  };
  /** Rotate the secret of a webhook. */
  readonly 'POST /api/webhooks/{id}/secret': {
    readonly path: {
      /** Identifier of the webhook, from `GET /api/webhooks`. */
      readonly id: string;
    };
    readonly answer: WebhookSecret;
  };
  /** Test a webhook. */
  readonly 'POST /api/webhooks/{id}/test': {
    readonly path: {
      /** Identifier of the webhook, from `GET /api/webhooks`. */
      readonly id: string;
    };
    readonly answer: StartedWebhookDelivery;
  };
  /** List the deliveries of a webhook. */
  readonly 'GET /api/webhooks/{id}/deliveries': {
    readonly path: {
      /** Identifier of the webhook, from `GET /api/webhooks`. */
      readonly id: string;
    };
    readonly query?: {
      /** Page number, starting at 1. The list is empty after the last page. */
      readonly page?: number | undefined;
      /** Items per page. */
      readonly per_page?: number | undefined;
    } | undefined;
    readonly answer: WebhookDeliveryList;
  };
  /** Send a delivery again. */
  readonly 'POST /api/webhooks/{id}/deliveries/{delivery_id}': {
    readonly path: {
      /** Identifier of the webhook, from `GET /api/webhooks`. */
      readonly id: string;
      /** Identifier of the delivery, which its receiver gets as `webhook-id`. */
      readonly delivery_id: string;
    };
    readonly answer: StartedWebhookDelivery;
  };
  /** Sign up. */
  readonly 'POST /api/auth/sign-up/email': {
    readonly body: SignUp;
    readonly answer: SignedUp;
  };
  /** Sign in. */
  readonly 'POST /api/auth/sign-in/email': {
    readonly body: SignIn;
    readonly answer: SignedIn;
  };
  /** Sign out. */
  readonly 'POST /api/auth/sign-out': {
    readonly answer: SignedOut;
  };
  /** Read the current session. */
  readonly 'GET /api/auth/get-session': {
    readonly answer: CurrentSession | null;
  };
  /** Create a session token. */
  readonly 'GET /api/auth/token': {
    readonly answer: SessionToken;
  };
  /** Read the public keys. */
  readonly 'GET /api/auth/jwks': {
    readonly answer: PublicKeys;
  };
  /** Request a link to verify an address. */
  readonly 'POST /api/auth/send-verification-email': {
    readonly body: VerificationMail;
    readonly answer: MailRequested;
  };
  /** Verify an address. */
  readonly 'GET /api/auth/verify-email': {
    readonly query: {
      /** From the link in the mail. */
      readonly token: string;
    };
    readonly answer: never;
  };
  /** Request a new password. */
  readonly 'POST /api/auth/request-password-reset': {
    readonly body: PasswordRequest;
    readonly answer: PasswordRequested;
  };
  /** Set a new password. */
  readonly 'POST /api/auth/reset-password': {
    readonly body: NewPassword;
    readonly answer: PasswordSet;
  };
  /** Check liveness. */
  readonly 'GET /healthz': {
    readonly answer: Health;
  };
  /** Check readiness. */
  readonly 'GET /readyz': {
    readonly answer: Readiness;
  };
  /** Read the OpenAPI document. */
  readonly 'GET /openapi.json': {
    readonly answer: OpenApiDocument;
  };
}

/** An event of the stream of a report. `id` is its position in the stream. */
export type ReportEvent =
  | {
    readonly id: number;
    readonly event: 'stage.started';
    readonly data: {
      readonly stage: 'research' | 'opinions' | 'cross_review' | 'synthesis' | 'conclusion';
      readonly of: number;
    };
  }
  | {
    readonly id: number;
    readonly event: 'member.answered';
    readonly data: {
      readonly stage: RunStage;
      readonly model: CouncilModel;
      readonly done: number;
      readonly of: number;
    };
  }
  | {
    readonly id: number;
    readonly event: 'member.lost';
    readonly data: {
      readonly stage: RunStage;
      readonly model: CouncilModel;
      readonly kind: 'rate_limited' | 'timed_out' | 'refused' | 'invalid_answer' | 'unauthorised' | 'unavailable';
    };
  }
  | {
    readonly id: number;
    readonly event: 'report.completed';
    readonly data: {
      readonly report_id: number;
      readonly status: ReportStatus;
    };
  }
  | {
    readonly id: number;
    readonly event: 'report.failed';
    readonly data: {
      readonly report_id: number;
      readonly status: ReportStatus;
      readonly failure: ReportFailure;
    };
  };

/** An event of the stream of a batch. `id` is opaque: the stream goes on after it. */
export type BatchEvent =
  | {
    readonly id: string;
    readonly event: 'row.started';
    readonly data: {
      readonly event_id: string;
      readonly status: 'running';
      readonly report_id: number;
    };
  }
  | {
    readonly id: string;
    readonly event: 'row.ended';
    readonly data: {
      readonly event_id: string;
      readonly status: 'completed' | 'failed' | 'refused';
      readonly report_id: number | null;
    };
  }
  | {
    readonly id: string;
    readonly event: 'batch.paused';
    readonly data: {
      readonly batch_id: string;
      readonly name: string | null;
      readonly status: 'paused';
      readonly paused_reason: 'budget' | 'balance' | 'house_limit' | 'member' | 'asked';
    };
  }
  | {
    readonly id: string;
    readonly event: 'batch.completed';
    readonly data: {
      readonly batch_id: string;
      readonly name: string | null;
      readonly status: 'completed';
      readonly paused_reason: null;
    };
  }
  | {
    readonly id: string;
    readonly event: 'batch.cancelled';
    readonly data: {
      readonly batch_id: string;
      readonly name: string | null;
      readonly status: 'cancelled';
      readonly paused_reason: null;
    };
  };

/** What a webhook is sent. No number of a forecast is in it: read the report. */
export type WebhookEvent =
  | {
    readonly type: 'report.completed';
    /** When it happened; the same in every try. */
    readonly timestamp: string;
    readonly data: {
      readonly report_id: number;
      readonly event_id: string;
      readonly status: 'completed';
      /** The entry of the report in the public record; null if it was not there yet. */
      readonly record: RecordEntry | null;
    };
  }
  | {
    readonly type: 'report.failed';
    /** When it happened; the same in every try. */
    readonly timestamp: string;
    readonly data: {
      readonly report_id: number;
      readonly event_id: string;
      readonly status: 'failed';
      /** The entry of the report in the public record; null if it was not there yet. */
      readonly record: RecordEntry | null;
    };
  }
  | {
    readonly type: 'report.graded';
    /** When it happened; the same in every try. */
    readonly timestamp: string;
    readonly data: {
      readonly report_id: number;
      readonly event_id: string;
      readonly status: 'completed';
      /** The entry of the report in the public record; null if it was not there yet. */
      readonly record: RecordEntry | null;
    };
  }
  | {
    readonly type: 'balance.low';
    /** When it happened; the same in every try. */
    readonly timestamp: string;
    readonly data: {
      /** What is left. */
      readonly balance_credits: number;
      /** The price of a fresh report. */
      readonly fresh_credits: number;
    };
  }
  | {
    readonly type: 'webhook.test';
    /** When it happened; the same in every try. */
    readonly timestamp: string;
    readonly data: {
      readonly webhook_id: string;
    };
  };

export type Venue = 'polymarket' | 'kalshi' | 'sample';

export interface EventList {
  readonly events: readonly Event[];
  readonly page: number;
  readonly per_page: number;
  readonly total?: number | undefined;
  /** The venues whose events this service has. */
  readonly venues: readonly Venue[];
  /** Venues that could not be searched; their events are missing. */
  readonly unavailable: readonly Venue[];
}

export interface Event {
  readonly event_id: string;
  /** The market platform that trades it. */
  readonly venue: Venue;
  readonly title: string;
  readonly description: string;
  readonly category: string | null;
  readonly closes_at: string | null;
  readonly status: TradingStatus;
  /** True if only one outcome can win. Otherwise each market is an independent yes/no question. */
  readonly exclusive: boolean;
  /** Traded on all markets. */
  readonly volume: number;
  /** US dollars, or contracts that pay a dollar each: not comparable with each other. */
  readonly volume_unit: VolumeUnit;
  /** The event’s page at the market platform. */
  readonly url: string | null;
  /** A yes/no event has one market, named after its question. */
  readonly markets: readonly EventMarket[];
}

export type TradingStatus = 'open' | 'closed';

/** US dollars, or contracts that pay a dollar each: not comparable with each other. */
export type VolumeUnit = 'usd' | 'contracts';

export interface EventMarket {
  /** Name of the outcome; on an event with one market, its question. */
  readonly market: string;
  /** Identifier of the market at its venue: the slug in Polymarket’s URLs, the ticker at Kalshi. */
  readonly slug: string;
  readonly outcomes: readonly [string, string];
  /**
   * Price of YES, in dollars per share, as implied by the order book or the last trade; null if there is
   * neither.
   */
  readonly yes_price: number | null;
  readonly best_bid: number | null;
  readonly best_ask: number | null;
  /** Traded since the market opened, in the event’s `volume_unit`. */
  readonly volume: number;
  readonly status: TradingStatus;
  readonly resolution: Resolution;
}

export type Resolution = 'unresolved' | 'disputed' | 'yes' | 'no' | 'fifty_fifty' | 'void';

export interface EventPrices {
  readonly event_id: string;
  readonly market: string;
  readonly slug: string;
  /** At most 500, oldest first. Empty if the venue keeps no past prices, or the market did not trade. */
  readonly points: readonly {
    readonly at: string;
    /** Dollars per share of YES. */
    readonly yes_price: number;
  }[];
}

export type Lane = 'credits' | 'subscription' | 'byok';

export interface Check {
  /**
   * True if any account’s report on this event was completed on the current UTC day, with at least
   * `min_members` opinions.
   */
  readonly has_cached_report: boolean;
  /** True if you already own a report on this event from the current UTC day. Buying it again is free. */
  readonly already_purchased: boolean;
  /** Identifier of the report that you own. Present only if `already_purchased`. */
  readonly report_id?: number | undefined;
  /**
   * Your current price on this lane. Send it as `quoted_credits`. 0 on the lane `subscription`, which bills
   * dollars.
   */
  readonly cost_credits: number;
  /**
   * On the lane `subscription`: what would be billed, in US cents; 0 for a report that you own. Send it as
   * `quoted_usd_cents`.
   */
  readonly price_usd_cents?: number | undefined;
  readonly lane: Lane;
  /** The credits that would be charged; null if none would. Send it as `quoted_pool` when you buy. */
  readonly pool: Pool | null;
  readonly pricing: Pricing;
  /**
   * The newest entry of the public record, at most some seconds ago. Keep it: if the entry of this number has
   * another hash later, the record was rewritten.
   */
  readonly record_head: RecordEntry | null;
}

export type Pool = 'weekly_grant' | 'purchased';

export interface Pricing {
  /** Current price of a fresh report. It follows the actual cost of runs, so do not hard-code it. */
  readonly fresh_credits: number;
  /** Price of a report that another account bought on the same UTC day: half of `fresh_credits`, rounded up. */
  readonly cached_credits: number;
  /** Price of a fresh report that uses your own provider keys. */
  readonly byok_credits: number;
}

export interface RecordEntry {
  readonly seq: number;
  readonly hash: string;
}

export interface Purchase {
  /** Identifier of the event, or its slug at the market platform. */
  readonly event_id: string;
  /**
   * The price that you were quoted. If the current price is within 15 % of it, you are charged the lower of
   * the two; otherwise the request fails with `quote_expired`. Without a quote, you are charged the current
   * price.
   */
  readonly quoted_credits?: number | undefined;
  /**
   * The price on the lane `subscription` that you were quoted, in US cents. A lower price is billed as it is;
   * for a higher one the request fails with `quote_expired`. Other lanes bill no dollars and ignore it.
   */
  readonly quoted_usd_cents?: number | undefined;
  /**
   * The pool that the price check named. With `weekly_grant`, the request fails with `quote_expired` if
   * purchased credits would pay instead. With `purchased`, purchased credits also pay on a day on which the
   * service gives no more free reports.
   */
  readonly quoted_pool?: Pool | undefined;
  /**
   * How to pay. Defaults to `subscription` for a request with an API key of an account that has one, otherwise
   * to `credits`.
   */
  readonly lane?: Lane | undefined;
  /**
   * The fewest valid opinions of a report that you buy. A run with fewer fails as `quorum_lost` and is
   * refunded in full, and a cached report with fewer is not sold to you. A report that you own stays yours.
   * Default: 2.
   */
  readonly min_members?: number | undefined;
}

export interface Receipt {
  readonly report_id: number;
  readonly status: ReportStatus;
  /** True if the report already existed, because another account bought it on the same UTC day. */
  readonly cached: boolean;
  /** 0 for a report that you already own and on the subscription lane. */
  readonly credits_spent: number;
  /**
   * On the lane `subscription`: what is billed when the report is completed, in US cents. 0 for a report that
   * you already own.
   */
  readonly price_usd_cents?: number | undefined;
  readonly lane: Lane;
  /** The credits that were charged; null on the subscription lane. */
  readonly pool: Pool | null;
}

export type ReportStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface ReportList {
  readonly reports: readonly ReportSummary[];
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

export interface ReportSummary {
  readonly id: number;
  readonly event_id: string;
  readonly event_title: string;
  readonly status: ReportStatus;
  /** The market that `action` and `probability` are about. */
  readonly queried_market: string | null;
  /** The verdict on the queried market. Often `SKIP` on an event with many outcomes. */
  readonly action: Action | null;
  /**
   * Probability in percent that the queried market resolves YES: the council’s or, in a conflict, the
   * market’s. Never the `estimate`.
   */
  readonly probability: number | null;
  /**
   * Probability in percent that the queried market resolves YES, by the estimate, which weighs council and
   * market: the number to act on. Null without one; `runtime.estimate_missing` says why.
   */
  readonly estimate: number | null;
  /** How much weight `probability` deserves, 0 to 85. Not a probability of being right. */
  readonly confidence: number | null;
  readonly lane: Lane;
  /** True if the report already existed and was bought at half the price. */
  readonly cached: boolean;
  /** True if a simulator generated the answers instead of language models. */
  readonly simulated: boolean;
  /** The API key that bought the report; null for a session. */
  readonly api_key_id: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
}

export type Action = 'BUY_YES' | 'BUY_NO' | 'SKIP';

export interface Report {
  readonly id: number;
  readonly event_id: string;
  readonly event_title: string;
  readonly status: ReportStatus;
  /** The market that `action` and `probability` are about. */
  readonly queried_market: string | null;
  /** The verdict on the queried market. Often `SKIP` on an event with many outcomes. */
  readonly action: Action | null;
  /**
   * Probability in percent that the queried market resolves YES: the council’s or, in a conflict, the
   * market’s. Never the `estimate`.
   */
  readonly probability: number | null;
  /**
   * Probability in percent that the queried market resolves YES, by the estimate, which weighs council and
   * market: the number to act on. Null without one; `runtime.estimate_missing` says why.
   */
  readonly estimate: number | null;
  /** How much weight `probability` deserves, 0 to 85. Not a probability of being right. */
  readonly confidence: number | null;
  readonly lane: Lane;
  /** True if the report already existed and was bought at half the price. */
  readonly cached: boolean;
  /** True if a simulator generated the answers instead of language models. */
  readonly simulated: boolean;
  /** The API key that bought the report; null for a session. */
  readonly api_key_id: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
  /** The chairman’s summary. */
  readonly summary: string | null;
  readonly council_config: {
    readonly requested: {
      readonly models: readonly CouncilModel[];
    };
    /** Null until the report is completed. */
    readonly runtime: Runtime | null;
  };
  /** Null until the report is completed. */
  readonly deliberation: Deliberation | null;
  /** Null until the report is completed. */
  readonly market_snapshot: MarketSnapshot | null;
  /**
   * What another venue priced the same questions at when the report was completed. It enters no number of the
   * report. Present only where people have reviewed that the markets ask the same, and the venue answered.
   */
  readonly other_venue?: readonly OtherVenuePrice[] | undefined;
  /** Present only while the report runs. */
  readonly progress: Progress | null;
  /** Present only if the report failed. The charge was refunded to the pool that it came from. */
  readonly failure: ReportFailure | null;
  /** The models that were lost, with the stage and the reason. */
  readonly dropouts: readonly {
    readonly model: CouncilModel;
    readonly stage: Stage;
    readonly kind: 'rate_limited' | 'timed_out' | 'refused' | 'invalid_answer' | 'unauthorised' | 'unavailable';
    readonly detail: string;
  }[];
  /** Null until the event, or a market of an independent one, has resolved. */
  readonly grade: Grade | null;
  /**
   * When rules of the event or its markets were first read that differ from those in `market_snapshot`, by
   * which the report was made. Null if none were. Markets that were added or removed change no rules.
   */
  readonly rules_changed_at: string | null;
  /**
   * The newest entry of the report in the public, append-only record: of its sale while it runs, of its end
   * afterwards. Null for at most 2 seconds after the sale.
   */
  readonly record: RecordEntry | null;
  readonly disclaimer: string;
}

export type CouncilModel = 'claude' | 'gpt' | 'gemini' | 'grok';

export interface Runtime {
  /** The models whose opinion counted. */
  readonly models: readonly CouncilModel[];
  readonly chairman: CouncilModel;
  /** True if a requested model was lost at the opinions or the cross-review. */
  readonly degraded: boolean;
  /** The reason for each model that was lost. */
  readonly provider_failures: Readonly<Partial<Record<CouncilModel, string>>>;
  /** Who wrote the synthesis. */
  readonly synthesis: Chairmanship;
  /**
   * The outcome in the headline: the council’s favourite or, in a conflict, the market’s. Never the
   * estimate’s, which leads wherever a report is put in words.
   */
  readonly most_likely_outcome: string;
  readonly most_likely_probability: number;
  readonly most_likely_source: HeadlineSource;
  /**
   * True if the council and the market’s prices disagree strongly. The headline is then the market’s
   * favourite, and the report names no bets. Do not derive bets yourself. The estimate remains the number to
   * act on.
   */
  readonly consensus_market_conflict: boolean;
  /** The council’s consensus: percent by outcome. Adds up to exactly 100 if `exclusive`. */
  readonly market_probabilities: Readonly<Record<string, number>>;
  /** The probabilities implied by the prices: percent by outcome, null without a price. */
  readonly market_implied_probabilities: Readonly<Record<string, number | null>>;
  readonly market_implied_basis: 'normalised' | 'independent' | 'sum_out_of_range' | 'no_price';
  /** True if the prices were good enough to overrule the council. */
  readonly market_trustworthy: boolean;
  /**
   * The number to act on: weighs the council’s consensus and the market’s prices with learnt weights. Null
   * without a firm price.
   */
  readonly estimate: Estimate | null;
  /** Why there is no estimate, and therefore no edge. Null if there is one. */
  readonly estimate_missing: EstimateMissing | null;
  /** What the members looked up. Null if they did not search. */
  readonly evidence: EvidenceSummary | null;
  /** At most five bets, best first. */
  readonly top_bets: readonly Bet[];
  /**
   * Why no bet could be priced: the venue’s fee is of a kind that is not known here. Null if bets could be
   * priced, also where none is suggested.
   */
  readonly bets_missing: BetsMissing | null;
  /** The same as `top_bets[0]`, for older clients. */
  readonly best_edge: Bet | null;
  /** True if exactly one outcome wins. Otherwise probabilities do not add up to 100. */
  readonly exclusive: boolean;
  /** When the market was frozen for the run. */
  readonly prices_at: string;
  /** Age of the prices when the report was computed. */
  readonly quote_age_seconds: number;
  readonly simulated: boolean;
  readonly method: Method;
  /**
   * The outcome that the triggers speak of: the first of two, the council’s likeliest of more, or the one
   * nearest to 50 % where they are independent. Null in reports of 1.0.0.
   */
  readonly subject: string | null;
  /**
   * What the members’ base rates alone say, pooled, for each outcome that they speak of. Empty in reports of
   * 1.0.0.
   */
  readonly outside_view: readonly OutsideView[];
  /**
   * The chance that the event resolves otherwise than the facts suggest (wording, source, dispute): the median
   * of the members’. Null if none gave one, and in reports of 1.0.0.
   */
  readonly resolution_risk: number | null;
  /** The outcome on which the council and a trustworthy market are furthest apart, if that is 8 points or more. */
  readonly market_gap: MarketGap | null;
}

/** Who wrote the synthesis. */
export interface Chairmanship {
  readonly chairman: CouncilModel;
  /**
   * The models that were asked to write the synthesis before and failed. This changes no number and no
   * verdict.
   */
  readonly replaced: readonly ReplacedChairman[];
}

export interface ReplacedChairman {
  readonly model: CouncilModel;
  readonly reason: string;
}

export type HeadlineSource = 'council' | 'market_implied';

export interface Estimate {
  /**
   * Percent by outcome; null for an independent market without a firm price. Adds up to exactly 100 if
   * `exclusive`.
   */
  readonly probabilities: Readonly<Record<string, number | null>>;
  /** Name and version of the formula. */
  readonly method: string;
  /** The learnt weights, named by id and hash. With them, the estimate can be computed again. */
  readonly weights: EstimateWeights;
}

/** The learnt weights, named by id and hash. With them, the estimate can be computed again. */
export interface EstimateWeights {
  readonly id: string;
  readonly sha256: string;
  readonly coefficients: EstimateCoefficients;
}

export interface EstimateCoefficients {
  /** Exponent of the market’s probabilities. */
  readonly market: number;
  /** Exponent of the council’s probabilities. */
  readonly council: number;
  /** Added to `council` for each unit of the members’ dispersion above the usual. */
  readonly council_by_dispersion: number;
}

export type EstimateMissing = 'no_price' | 'sum_out_of_range' | 'no_firm_price';

export interface EvidenceSummary {
  readonly status: EvidenceStatus;
  readonly items: number;
  /** SHA-256 (hex) of `deliberation.evidence` as JSON, as it is sent. Part of the record. */
  readonly sha256: string;
}

export type EvidenceStatus = 'searched' | 'partial' | 'none';

export interface Bet {
  readonly side: BetSide;
  readonly market: string;
  /**
   * `edge`: the estimate considers the side mispriced. `pick`: the council’s favourite at a fair price, which
   * claims nothing else.
   */
  readonly kind: BetKind;
  /** Price of the market’s YES. */
  readonly yes_price: number;
  /** Cost of one share of the side bought: the ask price plus the taker fee. */
  readonly share_cost: number;
  /** The council’s probability of YES. */
  readonly consensus_probability: number;
  /** The market’s probability of YES. */
  readonly market_implied_probability: number;
  /** Percentage points by which `win_probability` exceeds the market’s probability of the side bought. */
  readonly edge_points: number;
  /** Probability of the side bought, by the estimate. */
  readonly win_probability: number;
  /** Net dollars per dollar staked if the bet wins. */
  readonly payout_per_dollar: number;
  /** Expected net dollars per dollar staked. */
  readonly expected_return_per_dollar: number;
  /** Identifier of the market at its venue: the slug in Polymarket’s URLs, the ticker at Kalshi. */
  readonly slug: string;
  /**
   * Fraction of a bankroll: a quarter of the Kelly fraction by `win_probability` at `share_cost`, and at most
   * 0.05 for all bets on the event together, which on an exclusive event are weighed together. 0 where a share
   * costs what it is worth or more, or where other bets on an exclusive event do the same for less.
   * Arithmetic, not advice. Null in reports of release 1.0.0.
   */
  readonly stake_fraction: number | null;
}

export type BetSide = 'BUY_YES' | 'BUY_NO';

/**
 * `edge`: the estimate considers the side mispriced. `pick`: the council’s favourite at a fair price, which
 * claims nothing else.
 */
export type BetKind = 'edge' | 'pick';

export type BetsMissing = 'unknown_fee';

export interface Method {
  readonly name: string;
  readonly pooling: string;
  readonly thresholds: Readonly<Record<string, number>>;
}

export interface OutsideView {
  readonly outcome: string;
  readonly probability: number;
  /** Whose base rates speak of the outcome. */
  readonly members: readonly CouncilModel[];
}

export interface MarketGap {
  readonly outcome: string;
  readonly council: number;
  readonly market: number;
  /** Percentage points between the two. */
  readonly points: number;
}

export interface Deliberation {
  readonly opinions: readonly Opinion[];
  readonly cross_review: {
    readonly reviews: readonly Review[];
    readonly aggregate_ranking: readonly RankedMember[];
  };
  readonly positions: readonly Position[];
  readonly synthesis: Synthesis | null;
  /** Null if members did not search. */
  readonly evidence: Evidence | null;
  /**
   * Why the market differs, by one member with the price in view. Changes no number. Null if the two are close
   * or it was lost.
   */
  readonly market_gap: MarketGapReasons | null;
}

export interface Opinion {
  readonly model: CouncilModel;
  /** The vendor’s identifier of the model that answered. */
  readonly model_id: string;
  /** Model calls made for this answer, including repairs and answers that were cut off. */
  readonly attempts: number;
  readonly latency_ms: number;
  readonly distribution: readonly OutcomeProbability[];
  /**
   * How sure the member is that research would not move it: 100 minus the width of its `range`. Its own
   * statement without a range, and in reports of 1.0.0.
   */
  readonly confidence: number;
  readonly rationale: string;
  /** The facts that the member names for its forecast. */
  readonly evidence: readonly Fact[];
  /** The rule in the member’s own words. */
  readonly rule: string | null;
  /** The chance that the event resolves otherwise than the facts suggest. */
  readonly resolution_risk: number | null;
  /** At most two, the one that fits better first. */
  readonly base_rates: readonly BaseRate[];
  /** The member’s forecast by base rates alone, of the outcome that they speak of. */
  readonly outside_view: OutcomeProbability | null;
  /**
   * The outcome that `range` and `would_change` speak of: the first of two, the member’s likeliest of more, or
   * the one nearest to 50 % where they are independent.
   */
  readonly subject: string | null;
  /** The 10th and 90th percentile of the member’s own probability after a further day of research. */
  readonly range: PercentRange | null;
  /** At most three. */
  readonly would_change: readonly PossibleChange[];
  /** Why parts are missing: they were not given, or were invalid twice. */
  readonly dropped: readonly string[];
}

export interface OutcomeProbability {
  readonly outcome: string;
  readonly probability: number;
}

export interface Fact {
  readonly fact: string;
  /** Ids of `evidence.items` that the member cites for it. Empty: its own knowledge, without a source. */
  readonly sources: readonly string[];
}

export interface BaseRate {
  readonly reference_class: string;
  readonly k: number;
  readonly n: number;
  /** (k + 1) / (n + 2) in percent: where a forecast starts. */
  readonly rate: number;
  readonly period: string;
  /** As those of a fact. */
  readonly sources: readonly string[];
}

export interface PercentRange {
  readonly low: number;
  readonly high: number;
}

export interface PossibleChange {
  /** A checkable event. */
  readonly if: string;
  /** `YYYY-MM-DD` */
  readonly by: string;
  /** The member’s probability of the `subject` if it happens by then. */
  readonly to: number;
}

export interface Review {
  readonly model: CouncilModel;
  /** The vendor’s identifier of the model that answered. */
  readonly model_id: string;
  /** Model calls made for this answer, including repairs and answers that were cut off. */
  readonly attempts: number;
  readonly latency_ms: number;
  /** The other members, best first. The reviewer did not know which answer was whose. */
  readonly ranking: readonly CouncilModel[];
  readonly critiques: readonly {
    readonly model: CouncilModel;
    readonly strengths: string;
    readonly weaknesses: string;
  }[];
  readonly revised_distribution: readonly OutcomeProbability[];
  readonly revised_confidence: number;
}

export interface RankedMember {
  readonly model: CouncilModel;
  readonly rank: number;
  /** Mean normalised Borda score, 0 to 1. */
  readonly score: number;
  readonly ballots: number;
}

export interface Position {
  readonly model: CouncilModel;
  readonly most_likely_outcome: string;
  readonly most_likely_probability: number;
  /** Percentage points between its first and its final forecast. */
  readonly moved_points: number;
  /** Percentage points between its final forecast and the council’s. */
  readonly distance_points: number;
  /** It has another favourite than the council, or is 15 points or more away. */
  readonly dissents: boolean;
}

export interface Synthesis {
  readonly model: CouncilModel;
  /** The vendor’s identifier of the model that answered. */
  readonly model_id: string;
  /** Model calls made for this answer, including repairs and answers that were cut off. */
  readonly attempts: number;
  readonly latency_ms: number;
  readonly summary: string;
  readonly agreements: readonly string[];
  readonly disagreements: readonly string[];
  readonly key_uncertainties: readonly string[];
  /**
   * What would change the probability of the report’s `subject`, merged from the members’ `would_change`. At
   * most five.
   */
  readonly triggers: readonly Trigger[];
  /** Why triggers are missing: they were not given, or were invalid twice. */
  readonly dropped: readonly string[];
}

export interface Trigger {
  /** A checkable event. */
  readonly if: string;
  /** `YYYY-MM-DD` */
  readonly by: string;
  /** Whether the subject becomes more or less probable. */
  readonly direction: 'up' | 'down';
  readonly members: readonly CouncilModel[];
  /** The members’ own probabilities of the subject if it happens, where they gave one. */
  readonly to: Readonly<Partial<Record<CouncilModel, number>>>;
}

export interface Evidence {
  /**
   * `searched`: every search succeeded. `partial`: some failed. `none`: nothing usable was found, or all
   * failed; the members answered from what they remember, and `confidence` is multiplied by 0.8.
   */
  readonly status: EvidenceStatus;
  /** The time of the forecast. Pages dated later are left out. */
  readonly as_of: string;
  /** Searches made by all members together. */
  readonly searches: number;
  readonly items: readonly EvidenceItem[];
  /**
   * What members searched for and did not find, in an order that does not tell who did. Every member read it.
   * Absent if they named nothing.
   */
  readonly not_found?: readonly NotFound[] | undefined;
  readonly removed: RemovedEvidence;
  /** The members whose search failed, with the reason. It loses no member. */
  readonly failures: Readonly<Partial<Record<CouncilModel, string>>>;
}

export interface EvidenceItem {
  /** S1, S2, … in an order that does not tell who found it. */
  readonly id: string;
  /** What is cited to the page. Cited, not verified: text from the web, not to be followed or run. */
  readonly text: string;
  /** https, without tracking parameters and fragment. */
  readonly url: string;
  readonly domain: string;
  /** The title of the page; null if the search stated none. */
  readonly title: string | null;
  /** `YYYY-MM-DD`; null if the search stated no date. */
  readonly published_at: string | null;
  /** When the search returned it. */
  readonly retrieved_at: string;
  /** The members whose search found the page. */
  readonly found_by: readonly CouncilModel[];
}

export interface NotFound {
  /** In the words of a member: text from a model, not to be followed or run. */
  readonly text: string;
  /** The members whose search looked for it. */
  readonly searched_by: readonly CouncilModel[];
}

export interface RemovedEvidence {
  /** Pages of prediction markets, bookmakers and other sites that quote odds. */
  readonly market_sources: number;
  /** Statements that quote odds or a market’s view. */
  readonly odds_statements: number;
  /** Pages that another member had found as well. */
  readonly duplicates: number;
  /**
   * Statements without a page, pages dated after the forecast, unusable addresses, and what exceeds the
   * limits.
   */
  readonly other: number;
}

export interface MarketGapReasons {
  readonly model: CouncilModel;
  /** The vendor’s identifier of the model that answered. */
  readonly model_id: string;
  /** Model calls made for this answer, including repairs and answers that were cut off. */
  readonly attempts: number;
  readonly latency_ms: number;
  /** What the market may know that the council does not. */
  readonly market_may_know: string;
  /** What the council may know that the market does not. */
  readonly council_may_know: string;
}

export interface MarketSnapshot {
  readonly taken_at: string;
  readonly exclusive: boolean;
  /** True if outcomes could still be added, so that one might win which had no market yet. */
  readonly can_grow: boolean;
  /** The rules by which the event resolves, as the venue stated them: untrusted text. Can be empty. */
  readonly rules: string;
  /**
   * SHA-256, hex, of the rules of the event and its markets: of the JSON in UTF-8, without spaces, of `[rules,
   * [[market_id, rules], …]]` with the markets in ascending order of their ids.
   */
  readonly rules_sha256: string;
  /** Where the result is read, as the venue named it: untrusted text. Empty where it did not say. */
  readonly settlement_sources: readonly {
    readonly name: string;
    readonly url: string | null;
  }[];
  readonly markets: readonly {
    readonly market_id: string;
    readonly market: string;
    readonly question: string;
    readonly slug: string;
    readonly outcomes: readonly [string, string];
    /** The scheduled end of trading of this market. */
    readonly closes_at: string | null;
    /** The market’s own rules, as the venue stated them: untrusted text. Null without any. */
    readonly rules: string | null;
    /** When the venue expected the result. Null where it did not say, as also in the next two fields. */
    readonly expected_at: string | null;
    /** Until when the venue waits for the result. */
    readonly latest_at: string | null;
    /** What ends trading before `closes_at`, as the venue stated it: untrusted text. */
    readonly early_close: string | null;
    readonly status: TradingStatus;
    readonly resolution: Resolution;
    /** True for a slot that the platform has not named yet. */
    readonly placeholder: boolean;
    /** True for the slot that stands for every outcome without a market of its own. */
    readonly other: boolean;
    readonly best_bid: number | null;
    readonly best_ask: number | null;
    readonly last_trade: number | null;
    readonly volume: number;
    /**
     * Dollars a share: `rate · (p · (1 − p)) ^ exponent`, rounded up if it says so. Null if the fee is of a kind
     * that is not known here: then there are no bets on the market.
     */
    readonly taker_fee: TakerFee | null;
  }[];
  /** What `volume` of the markets counts: dollars, or contracts that pay a dollar. */
  readonly volume_unit: VolumeUnit;
}

export interface TakerFee {
  readonly rate: number;
  readonly exponent: number;
  readonly rounded_up_to: number | null;
}

export interface OtherVenuePrice {
  /** The outcome of the report that YES stands for. */
  readonly outcome: string;
  readonly venue: Venue;
  /** The event at the other venue. */
  readonly event_id: string;
  /** The market at the other venue. */
  readonly slug: string;
  /** The event’s page at the other venue. */
  readonly url: string | null;
  /** Dollars for YES, which means the same at both venues: the middle of a tight book, or the last trade. */
  readonly yes_price: number;
  readonly read_at: string;
}

export interface Progress {
  /** What the members do now. `research`: those that can search the web do so, before all give their opinions. */
  readonly stage: RunStage;
  /** Members that have finished this stage. A search that fails is never counted. */
  readonly done: number;
  /** Members that this stage asks: at `research` those that search, once the report is `processing`. */
  readonly of: number;
  /** The members that have finished this stage, in the order of their answers. */
  readonly answered: readonly CouncilModel[];
}

/** What the members do now. `research`: those that can search the web do so, before all give their opinions. */
export type RunStage = 'research' | 'opinions' | 'cross_review' | 'synthesis';

export interface ReportFailure {
  readonly code: string;
  readonly detail: string;
}

export type Stage = 'opinions' | 'cross_review' | 'synthesis';

export interface Grade {
  /** State of the grade. Only `graded` has scores. */
  readonly state: GradeState;
  /** Number of markets of an independent event that are not final. Each is graded when it is. */
  readonly open_markets: number;
  /** Version of the grading rules. */
  readonly grader: string;
  readonly graded_at: string;
  readonly resolved_at: string;
  /** True if this grade corrects an earlier one. */
  readonly corrected: boolean;
  /** The markets of the event when it was resolved. */
  readonly markets: readonly GradedMarket[];
  readonly scores: GradeScores | null;
}

/** State of the grade. Only `graded` has scores. */
export type GradeState = 'graded' | 'void' | 'fifty_fifty' | 'disputed';

export interface GradedMarket {
  readonly market_id: string;
  readonly resolution: Resolution;
  /** When the answer became final. Null before, and where the venue does not say. */
  readonly final_at: string | null;
  /**
   * Who gave the answer: UMA’s oracle, a Chainlink price feed, an account of the venue (`operator`), the
   * exchange, or the bundled events (`sample`). `prices`: read from final prices, as version 1.0.0 did. Null
   * before, and if it is not known.
   */
  readonly decided_by: Decider | null;
  /** True if the answer was contested at any time. */
  readonly was_disputed: boolean;
  /**
   * True if other rules of this market were read after the report was sold and before it was graded, also if
   * they were taken back.
   */
  readonly rules_changed: boolean;
  /** Dollars that a share of YES paid. Null before, and where the venue does not say. */
  readonly settlement_value: number | null;
}

export type Decider = 'uma' | 'chainlink' | 'operator' | 'exchange' | 'sample' | 'prices';

export interface GradeScores {
  readonly council: Score | null;
  readonly market: Score | null;
  readonly blend: Score | null;
  readonly mean: Score | null;
  readonly members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
  /** Council and market by learnt weights. Null in reports without an estimate. */
  readonly estimate: Score | null;
  /** The members’ first opinions, pooled: the council without cross-review. */
  readonly first_council: Score | null;
  /** The first opinion of each member alone. */
  readonly first_members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
  readonly outcomes: readonly {
    readonly name: string;
    readonly happened: number | null;
    /** True if the market is not final, so that a later grade adds its result. */
    readonly open: boolean;
  }[];
  readonly bets: readonly {
    readonly market: string;
    readonly side: BetSide;
    readonly kind: BetKind;
    /** Null if the market was void, paid half or is open. */
    readonly won: boolean | null;
    /** Net dollars per dollar staked. 0 while the market is open. */
    readonly return_per_dollar: number;
    /** True if the market is not final. */
    readonly open: boolean;
  }[];
}

export interface Score {
  /** Brier score, Σ(p − y)² over the outcomes. Lower is better. */
  readonly brier: number;
  /** −ln of the probability of the outcome that happened. Lower is better. */
  readonly log_score: number;
  /** 1 if the favourite happened, 0 if not, a fraction if several outcomes were tied. */
  readonly hit: number;
}

export interface NewBatch {
  /** A label for the batch. */
  readonly name?: string | undefined;
  /**
   * The events, each once, in the order in which their reports are bought. `polymarket:ID` names the same
   * event as `ID`, and tickers of Kalshi have no letter case.
   */
  readonly events: readonly string[];
  /** How to pay. A weekly grant pays for no row of a batch, nor does a subscription. */
  readonly lane: BatchLane;
  /** The most that the batch may spend. It never does, at no moment, whatever runs at once. */
  readonly budget_credits: number;
  /** The most that one report may cost. A dearer one is refused with `quote_expired`. */
  readonly max_credits_each?: number | undefined;
  /**
   * The fewest valid opinions of a report that you buy. A run with fewer fails as `quorum_lost` and is
   * refunded in full, and a cached report with fewer is not sold to you. A report that you own stays yours.
   * Default: 2.
   */
  readonly min_members?: number | undefined;
  /** How many reports of the batch may run at once. All batches of an account together have 20. Default: 10. */
  readonly max_in_flight?: number | undefined;
  /** Return what the batch would cost now, and store, buy and charge nothing. Default: false. */
  readonly dry_run?: boolean | undefined;
}

/** How to pay. A weekly grant pays for no row of a batch, nor does a subscription. */
export type BatchLane = 'credits' | 'byok';

export interface BatchPlan {
  readonly rows: readonly PlannedRow[];
  readonly credits: PlannedCredits;
}

export interface PlannedRow {
  readonly event_id: string;
  /**
   * What the purchase would be now. An event that the service has never read counts as `fresh`, whether or not
   * it exists.
   */
  readonly kind: PlannedRowKind;
  /** What it would cost now; 0 if it is owned or refused. */
  readonly credits: number;
  /**
   * The `code` of the problem: of a `refused` row why it is refused for good, of another why the batch would
   * wait with it, such as `insufficient_credits`.
   */
  readonly code?: string | undefined;
}

/**
 * What the purchase would be now. An event that the service has never read counts as `fresh`, whether or not
 * it exists.
 */
export type PlannedRowKind = 'fresh' | 'cached' | 'owned' | 'refused';

export interface PlannedCredits {
  /** The sum of all rows. More than the budget buys only a part of them. */
  readonly expected: number;
  /**
   * The most that these rows could cost the batch if prices rise: its budget, or `max_credits_each` for each
   * row that is neither owned nor refused, whichever is less.
   */
  readonly at_most: number;
}

export interface Batch {
  readonly batch_id: string;
  readonly name: string | null;
  /** `completed`: no row waits or runs. `cancelled`: none is bought any more. */
  readonly status: BatchStatus;
  /**
   * Why it is `paused`, otherwise null. `budget`: the next report does not fit into what is left. `balance`:
   * the account cannot pay for it. `house_limit`: the service sells no more fresh reports today. `member`: its
   * last three runs failed, each without `paused_member`. `asked`: by you.
   */
  readonly paused_reason: BatchPause | null;
  /** The member whose failures have paused it; otherwise null. */
  readonly paused_member: CouncilModel | null;
  /** When it goes on by itself, after `house_limit`. Null if it does not pause, or waits for you. */
  readonly resumes_at: string | null;
  readonly lane: BatchLane;
  readonly rows: BatchRowCounts;
  readonly credits: BatchCredits;
  /** The most that one report may cost; null without a limit. */
  readonly max_credits_each: number | null;
  /** The fewest valid opinions of a report that is bought. */
  readonly min_members: number;
  /** How many of its reports may run at once. */
  readonly max_in_flight: number;
  /** The API key that created it; null for a session. */
  readonly api_key_id: string | null;
  readonly created_at: string;
  /** When it was completed or cancelled. */
  readonly ended_at: string | null;
}

/** `completed`: no row waits or runs. `cancelled`: none is bought any more. */
export type BatchStatus = 'running' | 'paused' | 'completed' | 'cancelled';

export type BatchPause = 'budget' | 'balance' | 'house_limit' | 'member' | 'asked';

export interface BatchRowCounts {
  readonly total: number;
  /** Not bought yet. */
  readonly waiting: number;
  /** Bought, and their runs go on. */
  readonly running: number;
  readonly completed: number;
  /** Their runs failed and were refunded. */
  readonly failed: number;
  /** Not bought, because the same purchase would be refused again. */
  readonly refused: number;
}

export interface BatchCredits {
  readonly budget: number;
  /** What its rows were charged and not refunded, running ones included. Never above `budget`. */
  readonly spent: number;
}

export interface BatchList {
  readonly batches: readonly Batch[];
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

export type BatchRowState = 'waiting' | 'running' | 'completed' | 'failed' | 'refused';

export interface BatchRowList {
  readonly rows: readonly BatchRow[];
  /** Pass it as `after` for the next rows; null at the end. */
  readonly next: number | null;
}

export interface BatchRow {
  /** Its place in the batch, from 1. */
  readonly position: number;
  readonly event_id: string;
  readonly state: BatchRowState;
  /**
   * `fresh`: a new run. `cached`: a report of the day, at half the price. `owned`: one that the account had,
   * for free. Null until it is bought.
   */
  readonly kind: BatchRowKind | null;
  /** Null until it is bought. */
  readonly report_id: number | null;
  /** What it was charged and not refunded. */
  readonly credits: number;
  /**
   * Why it was refused, as the `code` of a problem, or why its run failed, as `failure.code` of the report.
   * Otherwise null.
   */
  readonly code: string | null;
}

export type BatchRowKind = 'fresh' | 'cached' | 'owned';

export interface BatchChanges {
  /** The new budget, at least what is spent. A higher one lets a batch go on that had paused for its budget. */
  readonly budget_credits?: number | undefined;
  /**
   * `paused`: no further report is bought until it is `running` again. `cancelled`: none is bought any more.
   * Reports that run end in any case.
   */
  readonly status?: 'running' | 'paused' | 'cancelled' | undefined;
}

export type BatchResultsFormat = 'ndjson' | 'csv' | 'forecastbench';

export interface BatchManifest {
  readonly batch_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly ended_at: string;
  /** True if a simulator generated answers instead of language models. */
  readonly simulated: boolean;
  readonly rows: {
    readonly total: number;
    readonly waiting: number;
    readonly completed: number;
    readonly failed: number;
    readonly refused: number;
  };
  /** Name and version of the methods of its completed reports. */
  readonly methods: readonly string[];
  /** The learnt weights of their estimates, by id and hash. */
  readonly estimate_weights: readonly WeightsReference[];
  /** The vendors’ own ids of the models whose opinions counted, by member. */
  readonly models: Readonly<Partial<Record<CouncilModel, readonly string[]>>>;
  readonly results: {
    readonly ndjson: BatchResultsFile;
    readonly csv: BatchResultsFile;
    readonly forecastbench: BatchResultsFile;
  };
  /**
   * The first and the last entry of the public record that ends a report of the batch, and `hash` of the last:
   * it covers every entry before it, and a time stamp of it proves when they were there. The payload of each
   * entry names the hash of its prompts, answers and market. Null without a report.
   */
  readonly record: BatchRecord | null;
}

export interface WeightsReference {
  readonly id: string;
  readonly sha256: string;
}

export interface BatchResultsFile {
  /** SHA-256, hex, of the bytes of the results in this format. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface BatchRecord {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly head: string;
}

export interface TrackRecord {
  readonly simulated: boolean;
  /** Version of the rules by which the figures are computed. */
  readonly figures_version: string;
  /** When the figures were computed. The counts are current. */
  readonly as_of: string | null;
  /** The head of the hash chain. Save it to verify later that no earlier entry was changed. */
  readonly record: {
    readonly entries: number;
    readonly head: string | null;
  };
  /** What receipts prove, as of `as_of`; `authority` is current. */
  readonly proof: {
    /** URL of the time-stamp authority of the newest receipt. Null: nobody confirms any date. */
    readonly authority: string | null;
    /** Graded forecasts. */
    readonly graded: number;
    /**
     * Those whose entry a receipt covers from before the outcome can have been known: the earliest of
     * `resolution.observed_at`, `resolution.first_observed_at` and the market’s own closing time in
     * `resolution.evidence`, in the export.
     */
    readonly stamped_before_outcome: number;
    /** The others. Their dates rest on the word of the operator. */
    readonly unproven: number;
    /** Entries of the chain that are hidden after their `opens_by`: a fault. */
    readonly overdue: number;
  };
  readonly counts: {
    readonly sold: number;
    readonly completed: number;
    readonly graded: number;
    readonly pending: number;
    readonly void: number;
    readonly fifty_fifty: number;
    readonly disputed: number;
    readonly failed: number;
  };
  /** Number of events among the graded reports. */
  readonly events: number;
  readonly council: Figures;
  readonly market: Figures;
  readonly blend: Figures;
  readonly estimate: Figures;
  readonly paired_difference: PairedDifference;
  readonly estimate_difference: EstimateDifference;
  readonly review: ReviewDifference;
  /** 1 − Brier score of the council / Brier score of the market. Above 0, the council is better. */
  readonly skill: number | null;
  readonly calibration: readonly CalibrationBin[];
  readonly by_model: {
    readonly claude: Figures;
    readonly gpt: Figures;
    readonly gemini: Figures;
    readonly grok: Figures;
    readonly mean: Figures;
  };
  readonly by_action: {
    readonly BUY_YES: Standing;
    readonly BUY_NO: Standing;
    readonly SKIP: Standing;
  };
  readonly by_flag: {
    readonly degraded: Standing;
    readonly not_degraded: Standing;
    readonly conflict: Standing;
    readonly no_conflict: Standing;
  };
  /**
   * By `evidence.status` of the report; `not_searched`: members did not search. Members must not see a price.
   * If the council is closer to the market in reports that searched than in those that did not, a price may
   * have leaked through what was found. The distance cannot prove it: news moves council and market alike, and
   * the reports are about different events.
   */
  readonly by_evidence: {
    readonly searched: EvidenceFigures;
    readonly partial: EvidenceFigures;
    readonly none: EvidenceFigures;
    readonly not_searched: EvidenceFigures;
  };
  /**
   * By category of the event, that of its first graded report: the ten categories with the most events, then
   * all others together, then events without a category.
   */
  readonly by_category: readonly CategoryFigures[];
  /**
   * What base rates alone would have scored, beside council, market and estimate on the same reports: those on
   * questions with two outcomes whose members named base rates. None are of 1.0.0.
   */
  readonly outside_view: OutsideViewFigures;
  readonly bets: {
    /** Number of bets. */
    readonly n: number;
    /** Number of events that they belong to. Each event has one vote. */
    readonly events: number;
    /** Net dollars per dollar staked: the mean over the events, of the mean of each event’s bets. */
    readonly mean_return_per_dollar: number | null;
    /**
     * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
     * several slices.
     */
    readonly interval_95: readonly [number, number] | null;
    /**
     * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
     * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
     * slices together.
     */
    readonly confidence_sequence_95: readonly [number, number] | null;
    readonly claims: BetClaims;
    readonly by_kind: {
      readonly edge: Returns;
      readonly pick: Returns;
    };
  };
  /**
   * The growth of a bankroll that puts `stake_fraction` on each bet, at the cost that the report named. Stakes
   * that were returned do not count; reports of release 1.0.0 have none.
   */
  readonly stakes: StakeFigures;
  readonly members: MemberFigures;
  /**
   * One dollar staked against the market’s prices, one event after the other in the order of their
   * resolutions: the mean over fixed stakes of 5, 10, 20, 40 and 80 % of the wealth. Each event has one vote,
   * the return of its first report.
   */
  readonly wealth: WealthFigures;
  /**
   * How the confidence sequences of each set of slices allow for there being several. `bonferroni`: each
   * allows an error of 5 % divided by the number of slices (by category: always by 12). `none`: means without
   * a claim about a difference; of `wealth`, each claim alone.
   */
  readonly slice_adjustment: {
    readonly by_model: SliceAdjustment;
    readonly by_action: SliceAdjustment;
    readonly by_flag: SliceAdjustment;
    readonly by_evidence: SliceAdjustment;
    readonly by_category: SliceAdjustment;
    readonly bets_by_kind: SliceAdjustment;
    readonly left_out: SliceAdjustment;
    readonly wealth: SliceAdjustment;
  };
  /** Only the first report of each event: a check that repeated reports do not decide the figures. */
  readonly first_report_per_event: Standing;
  /**
   * Without the reports whose venue changed the rules between sale and grade (`rules_changed` in the export):
   * their forecast may be of another question than their grade.
   */
  readonly rules_unchanged: Standing;
  /** What these figures show about the council, and what of it is proved, in words. */
  readonly verdict_text: string;
}

export interface Figures {
  readonly brier: number | null;
  readonly log_score: number | null;
  readonly hit_rate: number | null;
  /** Number of reports. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
}

export interface PairedDifference {
  /** Number of reports. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /**
   * The mean over the events of the Brier score of the council minus that of the market. Below 0, the council
   * is better.
   */
  readonly mean: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly council_brier: number | null;
  readonly market_brier: number | null;
}

export interface EstimateDifference {
  /** Number of reports. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /**
   * The mean over the events of the Brier score of the estimate minus that of the market. Below 0, the
   * estimate is better.
   */
  readonly mean: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly estimate_brier: number | null;
  readonly market_brier: number | null;
}

export interface ReviewDifference {
  /** Number of reports. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /**
   * The mean over the events of the Brier score of the council minus that of the members’ first opinions,
   * pooled. Below 0, the cross-review made the council better.
   */
  readonly mean: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly council_brier: number | null;
  readonly first_council_brier: number | null;
}

export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  /** Number of outcomes. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  readonly mean_probability: number | null;
  readonly share_happened: number | null;
  /** Wilson interval with each event as one trial. */
  readonly interval_95: readonly [number, number] | null;
}

export interface Standing {
  readonly council: Figures;
  readonly market: Figures;
  readonly paired_difference: PairedDifference;
}

export interface EvidenceFigures {
  readonly council: Figures;
  readonly market: Figures;
  readonly paired_difference: PairedDifference;
  readonly estimate: Figures;
  /**
   * How far council and market were apart, in percentage points: half the sum of the differences over the
   * outcomes of an exclusive event, which on a yes/no question is their difference; otherwise the mean over
   * the markets. On the reports of `paired_difference`.
   */
  readonly market_distance_points: {
    /** Number of reports. */
    readonly n: number;
    /** Number of events that they belong to. Each event has one vote. */
    readonly events: number;
    /** 0 to 100. The mean over the events. */
    readonly mean: number | null;
    /**
     * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
     * several slices.
     */
    readonly interval_95: readonly [number, number] | null;
  };
}

export interface CategoryFigures {
  /**
   * `category`: one of the ten categories with the most events. `other`: all further ones. `none`: events
   * without a category.
   */
  readonly slice: 'category' | 'other' | 'none';
  /** Null unless the slice is one category. */
  readonly category: string | null;
  /** Number of categories in the slice. */
  readonly categories: number;
  readonly council: Figures;
  readonly market: Figures;
  readonly paired_difference: PairedDifference;
  readonly estimate: Figures;
  readonly estimate_difference: EstimateDifference;
}

/**
 * What base rates alone would have scored, beside council, market and estimate on the same reports: those on
 * questions with two outcomes whose members named base rates. None are of 1.0.0.
 */
export interface OutsideViewFigures {
  readonly outside_view: Figures;
  readonly council: Figures;
  readonly market: Figures;
  readonly estimate: Figures;
  readonly difference: OutsideViewDifference;
}

export interface OutsideViewDifference {
  /** Number of reports. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /**
   * The mean over the events of the Brier score of the council minus that of the pooled outside view. Below 0,
   * the council is better than its base rates.
   */
  readonly mean: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly council_brier: number | null;
  readonly outside_view_brier: number | null;
}

export interface BetClaims {
  /** Number of bets. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /** Actual win rate minus the claimed one, 0..1. Below 0, bets won less often than claimed. */
  readonly mean: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly claimed_win_rate: number | null;
  readonly actual_win_rate: number | null;
  readonly claimed_return_per_dollar: number | null;
  readonly actual_return_per_dollar: number | null;
}

export interface Returns {
  /** Number of bets. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /** Net dollars per dollar staked: the mean over the events, of the mean of each event’s bets. */
  readonly mean_return_per_dollar: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly claims: BetClaims;
}

/**
 * The growth of a bankroll that puts `stake_fraction` on each bet, at the cost that the report named. Stakes
 * that were returned do not count; reports of release 1.0.0 have none.
 */
export interface StakeFigures {
  /** Number of bets with a stake. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote, its first report with a stake. */
  readonly events: number;
  /**
   * The mean over the events of the natural logarithm of what a dollar of the bankroll became: all bets of an
   * event together. Above 0, the bankroll grows.
   */
  readonly mean_log_growth: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  /** Dollars that one dollar has become after all events. */
  readonly bankroll: number;
}

export interface MemberFigures {
  readonly error_correlation: {
    /** Mean over the pairs that have one. */
    readonly mean: number | null;
    /**
     * So many members of the same skill whose errors have nothing in common would make a mean as good as that of
     * these four: 4 / (1 + 3 · mean).
     */
    readonly effective_members: number | null;
    readonly pairs: readonly {
      readonly members: readonly [CouncilModel, CouncilModel];
      /** Number of reports. */
      readonly n: number;
      /** Number of events that they belong to. Each event has one vote. */
      readonly events: number;
      /**
       * How alike the two err, −1 to 1, each event with one vote. Good members of different minds are above 0 too,
       * because the chance in outcomes is in the errors of all.
       */
      readonly correlation: number | null;
    }[];
  };
  readonly left_out: {
    readonly claude: LeftOut;
    readonly gpt: LeftOut;
    readonly gemini: LeftOut;
    readonly grok: LeftOut;
  };
}

export interface LeftOut {
  /** Number of reports. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /**
   * The mean over the events of the Brier score of the council without this member minus that with it, both
   * pooled from the members’ percents. Above 0, the council is worse without it.
   */
  readonly mean: number | null;
  /**
   * Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for
   * several slices.
   */
  readonly interval_95: readonly [number, number] | null;
  /**
   * Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the
   * mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all
   * slices together.
   */
  readonly confidence_sequence_95: readonly [number, number] | null;
  readonly without_brier: number | null;
  readonly council_brier: number | null;
}

/**
 * One dollar staked against the market’s prices, one event after the other in the order of their
 * resolutions: the mean over fixed stakes of 5, 10, 20, 40 and 80 % of the wealth. Each event has one vote,
 * the return of its first report.
 */
export interface WealthFigures {
  /** The council’s probabilities against the market’s. */
  readonly council: Wealth;
  /** The estimate’s probabilities against the market’s. */
  readonly estimate: Wealth;
  /** All bets at their costs. */
  readonly bets: Wealth;
  readonly edge_bets: Wealth;
  readonly picks: Wealth;
}

/** The council’s probabilities against the market’s. */
export interface Wealth {
  /** Number of bets, or of questions, that decide the returns. */
  readonly n: number;
  /** Number of events that they belong to. Each event has one vote. */
  readonly events: number;
  /**
   * Natural logarithm of the dollars that one dollar has become: evidence against the prices that may be
   * looked at at any time. With fair prices, wealth ever reaches $20 (3.0) with a chance of 5 % at most.
   */
  readonly log_wealth: number;
  /** The highest value so far, with the events in the order of their resolutions. */
  readonly max_log_wealth: number;
  /** The same in words. */
  readonly text: string;
}

export type SliceAdjustment = 'none' | 'bonferroni';

export interface TrackRecordExport {
  readonly reports: readonly TrackRecordRow[];
}

export interface TrackRecordRow {
  readonly report_id: number;
  readonly event_id: string;
  readonly event_title: string;
  readonly category: string | null;
  readonly method: string;
  readonly models: Readonly<Partial<Record<CouncilModel, string>>>;
  readonly completed_at: string;
  readonly prices_at: string;
  readonly state: GradeState;
  /**
   * True if other rules of the event, or of a market that the report was sold on, were read after the sale and
   * before the grade.
   */
  readonly rules_changed: boolean;
  /**
   * Number of markets of an independent event that are not final. The row has no number of theirs, because
   * buyers of the report may still trade on them; a later grade adds them.
   */
  readonly open_markets: number;
  readonly graded_at: string;
  readonly grader: string;
  readonly exclusive: boolean;
  readonly degraded: boolean;
  readonly conflict: boolean;
  /** Null while the queried market is open. */
  readonly action: Action | null;
  /** Null while this market is open. */
  readonly queried_market: string | null;
  readonly estimate_weights: WeightsReference | null;
  /** What the members looked up. Null if they did not search. */
  readonly evidence: EvidenceSummary | null;
  /** Null while the market of this outcome is open. */
  readonly headline: RecordedHeadline | null;
  readonly outcomes: readonly {
    readonly name: string;
    readonly market_id: string | null;
    readonly side: 'yes' | 'no';
    readonly council: number;
    readonly market: number | null;
    readonly members: Readonly<Partial<Record<CouncilModel, number>>>;
    readonly estimate: number | null;
    readonly first_council: number;
    readonly first_members: Readonly<Partial<Record<CouncilModel, number>>>;
    readonly happened: number | null;
  }[];
  /** As in the report. Empty for a report of 1.0.0. */
  readonly outside_view: readonly OutsideView[];
  readonly scores: ForecastScores | null;
  readonly bets: readonly {
    readonly market: string;
    readonly side: BetSide;
    /**
     * `edge`: the estimate considers the side mispriced. `pick`: the council’s favourite at a fair price, which
     * claims nothing else.
     */
    readonly kind: BetKind;
    /** Cost of one share of the side bought: the ask price plus the taker fee. */
    readonly share_cost: number;
    /** Net dollars per dollar staked if the bet wins. */
    readonly payout_per_dollar: number;
    /** Probability of the side bought, by the estimate. */
    readonly win_probability: number;
    /**
     * Fraction of a bankroll: a quarter of the Kelly fraction by `win_probability` at `share_cost`, and at most
     * 0.05 for all bets on the event together, which on an exclusive event are weighed together. 0 where a share
     * costs what it is worth or more, or where other bets on an exclusive event do the same for less.
     * Arithmetic, not advice. Null in reports of release 1.0.0.
     */
    readonly stake_fraction: number | null;
    readonly market_id: string;
    readonly won: boolean | null;
    readonly return_per_dollar: number | null;
  }[];
  /** What the market answered: `happened` and `won` follow from it. */
  readonly resolution: {
    /**
     * When a resolution of the event was first observed after the report was completed, even if it left markets
     * open.
     */
    readonly first_observed_at: string;
    /** When the market gave the answer that the grade is based on. */
    readonly observed_at: string;
    /** The resolution of each market, by `market_id`. */
    readonly outcomes: Readonly<Record<string, Resolution>>;
    /** The state of the event and its markets at that time, as stored. */
    readonly evidence: Readonly<Record<string, unknown>>;
  };
}

export interface RecordedHeadline {
  readonly outcome: string;
  readonly percent: number;
  readonly source: HeadlineSource;
}

export interface ForecastScores {
  readonly council: Score | null;
  readonly market: Score | null;
  readonly blend: Score | null;
  readonly mean: Score | null;
  readonly members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
  /** Council and market by learnt weights. Null in reports without an estimate. */
  readonly estimate: Score | null;
  /** The members’ first opinions, pooled: the council without cross-review. */
  readonly first_council: Score | null;
  /** The first opinion of each member alone. */
  readonly first_members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
}

export interface Chain {
  readonly entries: readonly ChainEntry[];
}

export interface ChainEntry {
  /** Entries are numbered from 1 without gaps. */
  readonly number: number;
  /**
   * What `hash` covers: the SHA-256 of lines, joined by a line feed. 2: `record-entry/2`, `number`, `kind`,
   * `sale` or `-`, `time`, `opens_by`, `simulated` or `live`, `previous_hash` and `commitment`. 1, which
   * release 1.0.0 wrote for completed reports: `record-entry/1`, `number`, `time`, `simulated` or `live`,
   * `previous_hash` and `commitment`.
   */
  readonly version: number;
  /** A report was sold, or its run ended: with a forecast, or without one and refunded. */
  readonly kind: 'sold' | 'completed' | 'failed';
  /**
   * The number of the entry of the sale. Null for that entry itself, and for a report that was sold under
   * release 1.0.0 and has no such entry.
   */
  readonly sale: number | null;
  /** When the report was sold, completed or failed. */
  readonly time: string;
  /**
   * When `payload` is public at the latest: 30 days after the event’s closing time or the sale, whichever is
   * later; 365 days after the sale if the event has no closing time; at once for a failure. Null if version 1
   * promised nothing.
   */
  readonly opens_by: string | null;
  /** The `hash` of the previous entry; 64 zeros for the first one. */
  readonly previous_hash: string;
  readonly hash: string;
  /** Whether the models of the report were simulated. */
  readonly simulated: boolean;
  /** SHA-256 of the 32 bytes of `salt` and the text of `payload`. */
  readonly commitment: string;
  /** Random bytes, so that no payload can be guessed from its commitment. Null while the payload is hidden. */
  readonly salt: string | null;
  /**
   * JSON text, exactly as it was hashed: the event and its rules (`sale/1`), the forecast (`record/2`;
   * `record/1` of release 1.0.0 lacks `confidence`, `outside_view`, `resolution_risk` and `market_gap`), or
   * the reason of the failure (`failure/1`). Null while the event is open, until `opens_by`: buyers paid for
   * the forecast.
   */
  readonly payload: string | null;
}

export interface RecordTimestamps {
  readonly timestamps: readonly RecordTimestamp[];
}

export interface RecordTimestamp {
  readonly id: number;
  /** The newest entry of the chain at that time. */
  readonly number: number;
  /** The `hash` of that entry, which the token signs. */
  readonly hash: string;
  /** When the authority signed it, by its clock. */
  readonly time: string;
  /** URL of the time-stamp authority. */
  readonly authority: string;
  /** The time-stamp token of RFC 3161, DER in base64. `openssl ts -verify -token_in` checks it. */
  readonly token: string;
}

export interface PackList {
  readonly packs: readonly Pack[];
}

export interface Pack {
  readonly id: PackId;
  readonly credits: number;
  /** Price in US cents. */
  readonly price_usd_cents: number;
}

export type PackId = 'starter' | 'standard' | 'large';

export interface Balance {
  /** Balance of purchased credits. */
  readonly balance_credits: number;
  /**
   * Credits that were spent before their payment was refunded or disputed. They are deducted from the next
   * credits of the account; until then neither its credits nor its weekly grant pay for reports.
   */
  readonly owed_credits: number;
  /** One free fresh report per week. */
  readonly weekly_grant: {
    /**
     * Whether it pays for the next fresh report. False once it is used, by this or another account of the same
     * mailbox, and while credits are owed or an address has to be verified.
     */
    readonly available: boolean;
    /** Whether it waits until the e-mail address of the account is verified. */
    readonly needs_verified_email: boolean;
    /** Current price of a fresh report. */
    readonly worth_credits: number;
    /** When the next grant becomes available: next Monday, 00:00 UTC. */
    readonly resets_at: string;
  };
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

export interface LedgerEntry {
  readonly id: number;
  readonly at: string;
  readonly kind: 'purchase' | 'grant' | 'charge' | 'refund' | 'adjustment';
  readonly pool: Pool;
  /** Negative if credits were deducted. */
  readonly amount_credits: number;
  /** Balance of the pool after this entry. */
  readonly balance_after: number;
  readonly report_id: number | null;
  /** The API key of the request; null for a session, and for entries that no request caused. */
  readonly api_key_id: string | null;
}

export interface BillingStatus {
  readonly plan: 'none' | 'subscription';
  /** Status of the latest subscription, as the payment provider names it. */
  readonly status: string | null;
  /** What to do so that the latest subscription pays for reports again. Null if it pays, or there is none. */
  readonly next_step: string | null;
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly cancel_at_period_end: boolean;
  /** Usage in the current period. Only delivered reports are metered. */
  readonly usage: {
    readonly fresh_reports: number;
    readonly cached_reports: number;
    readonly amount_usd_cents: number;
  };
  /**
   * Credits that were spent before their payment was refunded or disputed. They are deducted from the next
   * credits of the account; until then neither its credits nor its weekly grant pay for reports.
   */
  readonly owed_credits: number;
  readonly payments_configured: boolean;
}

export interface Checkout {
  /** Identifier of the pack, as listed by `GET /api/credits/packs`. */
  readonly pack_id: PackId;
  /** The page that the browser returns to after payment. Defaults to a page of this service. */
  readonly success_url?: string | undefined;
  /** The page that the browser returns to if the payment is cancelled. Defaults to a page of this service. */
  readonly cancel_url?: string | undefined;
}

export interface PackCheckout {
  readonly checkout_id: string;
  /** Identifier of the checkout session at the payment provider. */
  readonly session_id: string;
  /** The payment page. Open it in a browser. */
  readonly url: string;
}

export type Subscription = {
  /** The page that the browser returns to after payment. Defaults to a page of this service. */
  readonly success_url?: string | undefined;
  /** The page that the browser returns to if the payment is cancelled. Defaults to a page of this service. */
  readonly cancel_url?: string | undefined;
};

export interface SubscriptionCheckout {
  /** Identifier of the checkout session at the payment provider. */
  readonly session_id: string;
  /** The payment page. Open it in a browser. */
  readonly url: string;
}

export type PortalRequest = {
  /** The page that the portal links back to. Defaults to a page of this service. */
  readonly return_url?: string | undefined;
};

export interface BillingPortal {
  /** The billing portal. Open it in a browser, soon: the address expires. */
  readonly url: string;
}

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface WebhookAnswer {
  readonly received: true;
}

export interface NewApiKey {
  /** A label for the key. */
  readonly name: string;
  /**
   * `spend`, the default: the key also buys. `read`: it reads what the account has, and gets 403
   * `scope_insufficient` where it would spend.
   */
  readonly scope?: KeyScope | undefined;
  /** From this moment on the key is refused: in the future, within 5 years. Default: no end. */
  readonly expires_at?: string | undefined;
  /**
   * The most that the key may spend in a UTC day. A free report of the week counts with its price in credits,
   * a dollar billed to a subscription as 100 credits; a refund gives back what it counted. Default: no limit.
   */
  readonly max_credits_per_day?: number | undefined;
}

export type KeyScope = 'read' | 'spend';

export interface MintedApiKey {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, for recognition. */
  readonly key_prefix: string;
  readonly created_at: string;
  /** What the key may do: `read`, or also `spend`. */
  readonly scope: KeyScope;
  /** From this moment on the key is refused; null without an end. */
  readonly expires_at: string | null;
  /** The most that the key may spend in a UTC day; null without a limit. */
  readonly max_credits_per_day: number | null;
  /** The network of the last use: the first 24 bits of an IPv4 address, 48 of an IPv6 address. Null if unknown. */
  readonly last_used_from: string | null;
  /** The API key. Shown only once, because the service stores only its hash. */
  readonly key: string;
  readonly warning: string;
}

export interface ApiKeyList {
  readonly keys: readonly ApiKey[];
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, for recognition. */
  readonly key_prefix: string;
  readonly created_at: string;
  /** What the key may do: `read`, or also `spend`. */
  readonly scope: KeyScope;
  /** From this moment on the key is refused; null without an end. */
  readonly expires_at: string | null;
  /** The most that the key may spend in a UTC day; null without a limit. */
  readonly max_credits_per_day: number | null;
  /** The network of the last use: the first 24 bits of an IPv4 address, 48 of an IPv6 address. Null if unknown. */
  readonly last_used_from: string | null;
  /** Updated at most once per minute. */
  readonly last_used_at: string | null;
}

export interface ProviderKeyList {
  readonly provider_keys: readonly ProviderKey[];
}

export interface ProviderKey {
  readonly provider: Provider;
  /** The last four characters of the key, the only part that is ever shown. */
  readonly last4: string;
  readonly updated_at: string;
}

export type Provider = 'openai' | 'anthropic' | 'google' | 'xai' | 'openrouter';

export interface NewProviderKey {
  /** Your key for this provider. Stored encrypted and used only for your own runs on the `byok` lane. */
  readonly key: string;
}

export interface NewWebhook {
  /** An `https://` address of a public host, without user, password and fragment. Redirects are not followed. */
  readonly url: string;
  /** What to send. Types that nothing has yet, such as those of batches, are sent once it has. */
  readonly types: readonly WebhookType[];
  readonly description?: string | undefined;
}

export type WebhookType = 
  | 'report.completed'
  | 'report.failed'
  | 'report.graded'
  | 'batch.paused'
  | 'batch.completed'
  | 'balance.low'
  | 'webhook.test';

export interface CreatedWebhook {
  readonly webhook: Webhook;
  /** `whsec_` and base64 of 32 bytes. Shown only once. It signs every delivery (Standard Webhooks). */
  readonly secret: string;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  /** `asked`: by you; `gone`: it answered 410; `failing`: a delivery failed at its last try. */
  readonly disabled_reason: WebhookDisabledReason | null;
  readonly created_at: string;
  /** When it last answered with a status of 2xx. */
  readonly last_delivery_at: string | null;
}

export type WebhookStatus = 'active' | 'disabled';

export type WebhookDisabledReason = 'asked' | 'gone' | 'failing';

export interface WebhookList {
  readonly webhooks: readonly Webhook[];
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly types?: readonly WebhookType[] | undefined;
  readonly description?: string | null | undefined;
  /** `disabled` sends nothing until it is `active` again; what is open then ends as failed. */
  readonly status?: WebhookStatus | undefined;
}

export interface WebhookSecret {
  /** `whsec_` and base64 of 32 bytes. Shown only once. It signs every delivery (Standard Webhooks). */
  readonly secret: string;
}

export interface StartedWebhookDelivery {
  /** Its receiver gets it as `webhook-id`. */
  readonly delivery_id: string;
}

export interface WebhookDeliveryList {
  readonly deliveries: readonly WebhookDelivery[];
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

export interface WebhookDelivery {
  /** The `webhook-id` of all its tries. */
  readonly id: string;
  readonly type: WebhookType;
  readonly created_at: string;
  readonly status: WebhookDeliveryStatus;
  /** The last tries, oldest first. */
  readonly attempts: readonly WebhookAttempt[];
  /** When it is tried next; null once it has ended. */
  readonly next_attempt_at: string | null;
}

export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface WebhookAttempt {
  readonly at: string;
  /** The HTTP status of the answer; null without one. */
  readonly status_code: number | null;
  /** Why no answer came, as a sentence; null with one. */
  readonly error: string | null;
  /** The beginning of the answer’s body, at most 200 bytes; null without an answer. */
  readonly excerpt: string | null;
}

export interface SignUp {
  readonly name: string;
  /** An email address, case-insensitive. */
  readonly email: string;
  readonly password: string;
  /** If false, the session cookie is deleted when the browser closes. */
  readonly rememberMe?: boolean | undefined;
}

export interface SignedUp {
  readonly token: string | null;
  readonly user: User;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly image: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SignIn {
  /** An email address, case-insensitive. */
  readonly email: string;
  readonly password: string;
  /** If false, the session cookie is deleted when the browser closes. */
  readonly rememberMe?: boolean | undefined;
}

export interface SignedIn {
  readonly redirect: boolean;
  /** Identifier of the session. Not a credential: use the cookie to request a session token. */
  readonly token: string;
  readonly user: User;
}

export interface SignedOut {
  readonly success: true;
}

export interface CurrentSession {
  readonly session: Session;
  readonly user: User;
}

export interface Session {
  readonly id: string;
  /** Identifier of the session. Not a credential: use the cookie to request a session token. */
  readonly token: string;
  readonly userId: string;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

export interface SessionToken {
  /** Valid for 15 minutes. */
  readonly token: string;
}

export interface PublicKeys {
  readonly keys: readonly {
    readonly kid: string;
    readonly kty: string;
    readonly alg: string;
    readonly [field: string]: unknown;
  }[];
}

export interface VerificationMail {
  /** An email address, case-insensitive. */
  readonly email: string;
}

export interface MailRequested {
  readonly status: true;
}

export interface PasswordRequest {
  /** An email address, case-insensitive. */
  readonly email: string;
}

export interface PasswordRequested {
  readonly status: true;
  readonly message: string;
}

export interface NewPassword {
  /** From the link in the mail. */
  readonly token: string;
  readonly newPassword: string;
}

export interface PasswordSet {
  readonly status: true;
}

export interface Health {
  readonly status: 'ok';
}

export interface Readiness {
  readonly status: 'ready';
  /** The error of each component; null, because all are healthy. */
  readonly checks: Readonly<Record<string, null>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface Problem {
  /** A URI that identifies the problem type. */
  readonly type: string;
  /** A short title, the same for every problem of this type. */
  readonly title: string;
  /** The HTTP status code. */
  readonly status: number;
  /** A human-readable explanation of this occurrence. */
  readonly detail: string;
  /** The problem type for programs. Branch on this field. */
  readonly code: 
    | 'invalid_request'
    | 'unauthenticated'
    | 'insufficient_credits'
    | 'key_limit_reached_today'
    | 'scope_insufficient'
    | 'session_required'
    | 'account_suspended'
    | 'not_found'
    | 'event_not_found'
    | 'method_not_allowed'
    | 'quote_expired'
    | 'key_limit_reached'
    | 'event_closed'
    | 'lane_unavailable'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'idempotency_mismatch'
    | 'run_limit_exceeded'
    | 'rate_limited'
    | 'internal'
    | 'unavailable'
    | 'house_limit_reached'
    | 'payments_not_configured';
  /** Identifier of the request, also in `X-Request-Id`. Include it when you contact support. */
  readonly request_id: string;
  /** `invalid_request`: every invalid field and parameter. */
  readonly errors?: readonly {
    /** JSON pointer to the field in the body, as a URI fragment. */
    readonly pointer?: string | undefined;
    /** Name of the path, query or header parameter. */
    readonly parameter?: string | undefined;
    readonly detail: string;
  }[] | undefined;
  /** `quote_expired`, `insufficient_credits`: the current price. */
  readonly cost_credits?: number | undefined;
  /** `quote_expired` on the lane `subscription`: the current price in US cents. */
  readonly price_usd_cents?: number | undefined;
  /** `insufficient_credits`: your balance. */
  readonly balance_credits?: number | undefined;
  /** `insufficient_credits`: what you owe. Credits pay for nothing until it is 0. */
  readonly owed_credits?: number | undefined;
  /** `lane_unavailable`: the requested lane. */
  readonly lane?: Lane | undefined;
  /** `lane_unavailable`: what is not set up. */
  readonly missing?: readonly string[] | undefined;
  /**
   * `unavailable` of a purchase or a batch: whether it was charged, or the batch started or changed, could not
   * be determined. Repeat the request, a purchase or a new batch with the same `Idempotency-Key`: it returns
   * what was bought, and charges nothing twice. Without this field, nothing was charged.
   */
  readonly outcome?: 'unknown' | undefined;
  /** `key_limit_reached_today`: when the key can spend again. */
  readonly resets_at?: string | undefined;
  /** `key_limit_reached_today`: what the key may spend a day. */
  readonly max_credits_per_day?: number | undefined;
  /** `key_limit_reached_today`: what it has spent today. */
  readonly spent_credits?: number | undefined;
  /** `unavailable` at `/readyz`: the error of each component; null if it is healthy. */
  readonly checks?: Readonly<Record<string, string | null>> | undefined;
}
