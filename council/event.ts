/**
 * A prediction-market event, independent of the platform that it comes from. Prices are fractions of a dollar
 * (0..1) and apply to the first of a market's two sides, its YES.
 */
export interface MarketEvent {
  readonly eventId: string;
  /** The event's name in URLs of the platform, by which it can also be read. Null if it has none. */
  readonly slug: string | null;
  readonly source: EventSourceName;
  readonly title: string;
  /** The rules by which the event resolves, as the market states them: untrusted text. */
  readonly description: string;
  readonly category: string | null;
  /** ISO 8601, UTC. The scheduled end of trading, which does not show that the event has resolved. */
  readonly closesAt: string | null;
  /** ISO 8601, UTC. When its first market opened. Absent where the platform does not say, and in events of 1.0.0. */
  readonly openedAt?: string;
  readonly status: TradingStatus;
  /** True if exactly one of the markets resolves YES. Only then are probabilities normalised. */
  readonly exclusive: boolean;
  /** True if outcomes can still be added, so that one may win which has no market yet. */
  readonly canGrow: boolean;
  /** Where the result is read, as the market states it: untrusted text, usually a URL. */
  readonly resolutionSource: string | null;
  /** Dollars traded since the event opened. */
  readonly volume: number;
  readonly url: string | null;
  readonly markets: readonly Market[];
}

export interface Market {
  readonly marketId: string;
  /** The public name of the market: the candidate on an event of several markets, otherwise the question. */
  readonly name: string;
  readonly question: string;
  readonly slug: string;
  /** The market's own names for its two sides, for example two teams. The first is YES. */
  readonly sides: readonly [yes: string, no: string];
  readonly status: TradingStatus;
  /** A slot that the platform names later. It cannot be traded yet, and the council does not forecast it. */
  readonly placeholder: boolean;
  /** Stands for every outcome that has no market of its own. What it covers shrinks when an outcome is added. */
  readonly other: boolean;
  /** The market's own rules, end of trading and source, where it states them; see the same fields of the event. */
  readonly rules: string | null;
  readonly closesAt: string | null;
  /** When it opened, which can be later than the event did. */
  readonly openedAt?: string;
  readonly resolutionSource: string | null;
  /** Null without a bid, which is different from a bid of 0. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Meaningless after the market has closed, when it is a settlement print. */
  readonly lastTrade: number | null;
  readonly volume: number;
  readonly takerFee: FeeSchedule;
  readonly resolution: Resolution;
}

export type EventSourceName = 'polymarket' | 'sample';

export type TradingStatus = 'open' | 'closed';

/**
 * How a market ended. `disputed`: the oracle's answer is contested. `fifty_fifty`: both sides were paid half.
 * `void`: closed without a winner for any other reason. Only `yes` and `no` can be graded.
 */
export type Resolution = 'unresolved' | 'disputed' | 'yes' | 'no' | 'fifty_fifty' | 'void';

/** Taker fee per share, in dollars: `rate · (p · (1 − p)) ^ exponent` at price p. Rate 0 means no fee. */
export interface FeeSchedule {
  readonly rate: number;
  readonly exponent: number;
}
