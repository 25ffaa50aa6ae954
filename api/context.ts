import type { Logger } from 'pino';
import type { EncryptionKey } from '../config/keys/key-ring.js';
import type { Db } from '../db/database.js';
import type { EventSource } from '../markets/event-source.js';
import type { PaymentGateway } from '../payments/payment-gateway.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { AccountsHandler } from './auth/accounts.js';
import type { SessionVerifier } from './auth/sessions.js';
import type { PageRenderer } from './pages/page-renderer.js';
import type { ReportPurchaser } from './purchases/temporal-purchaser.js';

/** What the routes stand on. Built by a composition root, and by tests. */
export interface ApiContext {
  readonly db: Db;
  readonly markets: EventSource;
  readonly desk: ReportPurchaser;
  /** Null where payments are not set up: nothing can be bought, everything else works. */
  readonly payments: PaymentGateway | null;
  readonly sessions: SessionVerifier;
  /** The built-in accounts; null where an outside identity provider is used. */
  readonly accounts: AccountsHandler | null;
  /** Whether council runs are simulated here: simulated reports and live ones never mix. */
  readonly simulated: boolean;
  readonly requestsPerMinute: { readonly address: number; readonly credential: number };
  /** Seals the callers' own provider keys, with its first. */
  readonly keyRing: readonly EncryptionKey[];
  /** The web page; null where only the API is served. */
  readonly pages: PageRenderer | null;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Logger;
}

/** What a part of the service says when asked; null when it is well. */
export type Readiness = Readonly<Record<string, string | null>>;
