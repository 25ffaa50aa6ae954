/**
 * A prediction-market event as the service understands it, whatever market it came from.
 * Prices are fractions of a dollar (0..1) and speak of the first of a market's two outcomes, its YES.
 */
export interface MarketEvent {
  readonly eventId: string;
  readonly source: EventSourceName;
  readonly title: string;
  /** The rules by which the event resolves, in the market's own words: untrusted text. */
  readonly description: string;
  readonly category: string | null;
  /** ISO 8601, UTC. When trading is meant to end; never evidence that the event has resolved. */
  readonly closesAt: string | null;
  readonly status: TradingStatus;
  /** True when exactly one of the markets resolves YES. Only then may probabilities be normalised. */
  readonly exclusive: boolean;
  /** Dollars traded over the life of the event. */
  readonly volume: number;
  readonly url: string | null;
  readonly markets: readonly Market[];
}

export interface Market {
  readonly marketId: string;
  /** What callers call this market: the candidate of a multi-outcome event, else the question. */
  readonly name: string;
  readonly question: string;
  readonly slug: string;
  /** The market's own names for its two sides; the first is YES. Team names happen. */
  readonly sides: readonly [yes: string, no: string];
  readonly status: TradingStatus;
  /** Named later by the market maker: nobody can trade it yet, and the council is not asked about it. */
  readonly placeholder: boolean;
  /** Null where nobody bids: an absent bid is not a bid of 0. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Meaningless once the market has closed (settlement prints). */
  readonly lastTrade: number | null;
  readonly volume: number;
  readonly takerFee: FeeSchedule;
  readonly resolution: Resolution;
}

export type EventSourceName = 'polymarket' | 'sample';

export type TradingStatus = 'open' | 'closed';

/**
 * How a market ended. `disputed`: its oracle's answer is contested; `fifty_fifty`: both sides were paid half; `void`:
 * closed without a winner in any other way. Only `yes` and `no` can be graded.
 */
export type Resolution = 'unresolved' | 'disputed' | 'yes' | 'no' | 'fifty_fifty' | 'void';

/** Taker fee a share, in dollars: `rate · (p · (1 − p)) ^ exponent` at price p. Rate 0 means no fee. */
export interface FeeSchedule {
  readonly rate: number;
  readonly exponent: number;
}
