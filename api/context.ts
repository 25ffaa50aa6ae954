import type { Logger } from 'pino';
import type { RecordEntryView } from '../contract/record-chain.js';
import type { Db } from '../db/database.js';
import type { ReportChanges } from '../db/reports/report-changes.js';
import type { SharedCounts } from '../db/throttling/shared-counts.js';
import type { MarketReader } from '../markets/market-reader.js';
import type { PaymentGateway } from '../payments/payment-gateway.js';
import type { EncryptionKey } from '../platform/keys/key-ring.js';
import type { Mailer } from '../platform/mail/mailer.js';
import type { Metrics } from '../platform/telemetry/metrics.js';
import type { TargetCheck } from '../platform/webhooks/check-target.js';
import type { SalesPolicy } from '../purchase/house-ceilings.js';
import type { AttemptPolicies } from '../purchase/pauses.js';
import type { BatchRuns } from '../sales/batch-runs.js';
import type { ReportPurchaser } from '../sales/temporal-purchaser.js';
import type { AccountsHandler } from './auth/accounts.js';
import type { SessionVerifier } from './auth/sessions.js';
import type { PageRenderer } from './pages/page-renderer.js';
import type { KnownCallers } from './throttling/known-callers.js';

/** The dependencies of the routes. Built by a composition root and by tests. */
export interface ApiContext {
  readonly db: Db;
  /** Wakes the responses that are held until their reports change. */
  readonly reportChanges: ReportChanges;
  /** Aborted when the process stops: what is held open ends. */
  readonly closing: AbortSignal;
  /** The address of the service that callers use: scheme, host and port, without a path. */
  readonly publicUrl: string;
  /** The mail address for reports of vulnerabilities; null if the operator has none. */
  readonly securityContact: string | null;
  /** The origins whose pages may sign in and use `/mcp`. */
  readonly trustedOrigins: readonly string[];
  /** Addresses and networks (CIDR) of the proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count. */
  readonly trustedProxies: readonly string[];
  readonly markets: MarketReader;
  readonly purchaser: ReportPurchaser;
  readonly batchRuns: BatchRuns;
  /** Null if payments are not configured: nothing can be bought, everything else works. */
  readonly payments: PaymentGateway | null;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly sessions: SessionVerifier;
  /** The built-in accounts; null if an identity provider is configured. */
  readonly accounts: AccountsHandler | null;
  /** Whether council runs are simulated. Simulated and live reports never mix. */
  readonly simulated: boolean;
  /** The house's ceilings, and whether weekly grants wait for a verified address. */
  readonly policy: SalesPolicy;
  readonly limits: Limits;
  /** What all API processes count together, for the limits. */
  readonly counts: SharedCounts;
  /** The credentials that this process has verified lately. */
  readonly knownCallers: KnownCallers;
  /** Encrypts the callers' provider keys, with its first key. */
  readonly keyRing: readonly EncryptionKey[];
  /** Whether webhooks may go to an address (`WEBHOOK_TARGETS`). */
  readonly checkWebhookTarget: (url: string) => Promise<TargetCheck>;
  /** The web page; null if only the API is served. */
  readonly pages: PageRenderer | null;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  /** The newest entry of the record, read at most once a second; null if there is none, or it cannot be read. */
  readonly recordHead: ReadRecordHead;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Logger;
}

/** How much callers may do. Tests change it. */
export interface Limits {
  readonly requestsPerMinute: {
    /** The limit of all requests of a network. */
    readonly address: number;
    /** The limit of a network's requests that have no verified credential. */
    readonly anonymous: number;
    readonly credential: number;
  };
  /** What may be tried at the built-in accounts. Null: anything at any time, for tests only. */
  readonly attempts: AttemptPolicies | null;
}

export type ReadRecordHead = () => Promise<RecordEntryView | null>;

/** The fault of each part of the service; null for a healthy part. */
export type Readiness = Readonly<Record<string, string | null>>;
