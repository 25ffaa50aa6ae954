/** What the chores do to the world, one verb each: they keep money right where a run no longer can. */
export interface ChoreActivities {
  /** Sends what subscriptions are billed for. */
  sendUsage(): Promise<UsageRound>;
  /** Gives back what was charged by runs that have ended without an end. */
  releaseStranded(): Promise<StrandedRound>;
  /** Holds the books against themselves. */
  checkLedger(): Promise<LedgerCheck>;
  /** Takes back what weekly grants still hold after their end. */
  expireGrants(): Promise<{ expired: number }>;
}

export interface UsageRound {
  readonly sent: number;
  readonly held: number;
  /** Voided before they were sent, or while they were. */
  readonly voided: number;
  /** Still to be sent. */
  readonly troubled: number;
  /** False: payments are not configured, or cannot be reached. */
  readonly reached: boolean;
}

export interface StrandedRound {
  readonly released: number;
  readonly running: number;
  /** Temporal does not know their run, and they are too young to be given up. */
  readonly waiting: number;
  /** Could not be looked at or given back; the next round tries again. */
  readonly troubled: number;
}

export interface LedgerCheck {
  /** One sentence each; the first of them where there are many. */
  readonly drift: readonly string[];
  readonly drifts: number;
  readonly notices: number;
  readonly checked: Readonly<Record<string, number>>;
}
