/** What a simulated search came to: statements in the order of the prose, each with the page that it cites. */
export interface Findings {
  /** One for each search that was made. */
  readonly queries: readonly string[];
  /** Text in front of the statements, which cites nothing; empty if there is none. */
  readonly prose: string;
  readonly statements: readonly SimulatedStatement[];
}

export interface SimulatedStatement {
  readonly text: string;
  /** Null if the statement cites nothing. */
  readonly page: SimulatedPage | null;
}

export interface SimulatedPage {
  /** Null only in a planted source: the vendor then names no address. */
  readonly url: string | null;
  readonly title: string | null;
  /** The page's date in words, such as `November 20, 2026`; null if it states none. Only Anthropic reports it. */
  readonly pageAge: string | null;
}

/** An answer to a search, before a vendor's format wraps it. */
export interface SimulatedSearch extends Findings {
  /** Derived from the request only, so that equal requests get equal responses. */
  readonly id: string;
  readonly ending: 'complete' | 'truncated' | 'refused' | 'filtered' | 'paused';
  /** The error code of the search tool, which the vendors send with status 200; null if the search worked. */
  readonly toolError: string | null;
}
