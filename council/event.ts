/**
 * A prediction-market event, independent of the platform that it comes from. Prices are fractions of a dollar
 * (0..1) and apply to the first of a market's two sides, its YES.
 */
export interface MarketEvent {
  /** Unique over all venues: one of Kalshi begins with `kalshi:`. */
  readonly eventId: string;
  /** The event's name in URLs of the platform, by which it can also be read. Null if it has none. */
  readonly slug: string | null;
  /** The venue that trades it. Called `source` because stored events are. */
  readonly source: Venue;
  readonly title: string;
  /** The rules by which the event resolves, as the market states them: untrusted text. */
  readonly description: string;
  readonly category: string | null;
  /** ISO 8601, UTC. The scheduled end of trading, which does not show that the event has resolved. */
  readonly closesAt: string | null;
  /** ISO 8601, UTC. When its first market opened. Absent where the platform does not say, and in events of 1.0.0. */
  readonly openedAt?: string;
  readonly status: TradingStatus;
  /** True if at most one of the markets resolves YES; with `canGrow`, none may. Only then are probabilities normalised. */
  readonly exclusive: boolean;
  /** True if something may win that has no market: outcomes can still be added, or the markets do not cover everything. */
  readonly canGrow: boolean;
  /** Where the result is read, as the market states it: untrusted text, usually a URL. */
  readonly resolutionSource: string | null;
  /** All sources that the venue names. Absent where it names none. Untrusted text. */
  readonly settlementSources?: readonly SettlementSource[];
  /** Traded since the event opened, in the unit of the venue: {@link volumeUnits}. */
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
  /** A placeholder that may be removed if nobody trades it, also before it trades. */
  readonly provisional?: true;
  /** Stands for every outcome that has no market of its own. What it covers shrinks when an outcome is added. */
  readonly other: boolean;
  /** The market's own rules, end of trading and source, where it states them; see the same fields of the event. */
  readonly rules: string | null;
  readonly closesAt: string | null;
  /** When it opened, which can be later than the event did. */
  readonly openedAt?: string;
  readonly resolutionSource: string | null;
  /** What the market says of a number, where the venue states it as data. */
  readonly strike?: Strike;
  /** ISO 8601, UTC: when the venue expects the result, and until when it waits for it. Absent where it does not say. */
  readonly expectedAt?: string;
  readonly latestAt?: string;
  /** What ends trading before `closesAt`, as the venue states it: untrusted text. */
  readonly earlyClose?: string;
  /** Null without a bid, which is different from a bid of 0. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Meaningless after the market has closed, when it is a settlement print. */
  readonly lastTrade: number | null;
  readonly volume: number;
  /** Null if the venue's fee is of a kind that is not known here: no cost can be computed, so there are no bets. */
  readonly takerFee: FeeSchedule | null;
  readonly resolution: Resolution;
}

/** The venues, in the order in which they are listed. */
export const venues = ['polymarket', 'kalshi', 'sample'] as const;

/** A market platform that events come from; `sample` are the bundled events, which trade nowhere. */
export type Venue = (typeof venues)[number];

/** In what a venue counts traded volume. A contract pays a dollar and costs less, so the two cannot be compared. */
export const volumeUnits = {
  polymarket: 'usd',
  kalshi: 'contracts',
  sample: 'usd',
} as const satisfies Readonly<Record<Venue, 'usd' | 'contracts'>>;

export interface SettlementSource {
  readonly name: string;
  readonly url: string | null;
}

/**
 * The values of a number for which a market resolves YES. `above`: more than `floor`; `at_least`: `floor` or more;
 * `below`: less than `cap`; `at_most`: `cap` or less; `between`: from `floor` to `cap`.
 */
export interface Strike {
  readonly kind: 'above' | 'at_least' | 'below' | 'at_most' | 'between';
  readonly floor: number | null;
  readonly cap: number | null;
}

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
  /** The fee of one share is rounded up to a multiple of this. Absent where the venue does not round. */
  readonly roundedUpToUsd?: number;
}
