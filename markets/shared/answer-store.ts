/** Answers of the market that all API processes share, and who is reading which. */
export interface AnswerStore {
  /**
   * Takes the right to read the market for a question, unless an answer is fresh, another process is reading, or the
   * market failed a moment ago.
   */
  claim(question: string, times: ClaimTimes): Promise<Claim>;
  /** Stores an answer and ends the claim. An older answer never replaces a newer one. */
  save(question: string, answer: KeptAnswer): Promise<void>;
  /** Ends the claim without an answer. @param retryAt when the market may be asked again; null: at once */
  release(question: string, retryAt: Date | null): Promise<void>;
}

export interface ClaimTimes {
  readonly now: Date;
  /** An answer read after this time is fresh. */
  readonly freshAfter: Date;
  /** The same of the answer `null`: the market does not know the event. */
  readonly unknownFreshAfter: Date;
  /** When a process that does not come back loses its claim. */
  readonly claimedUntil: Date;
}

export interface KeptAnswer {
  readonly json: string;
  /** When the reading began. */
  readonly readAt: Date;
}

/** `kept`: the last answer, fresh or not; null if there is none. */
export type Claim =
  | { readonly state: 'claimed' | 'busy'; readonly kept: KeptAnswer | null }
  | { readonly state: 'fresh'; readonly kept: KeptAnswer }
  | { readonly state: 'failed'; readonly kept: KeptAnswer | null; readonly retryAt: Date };
