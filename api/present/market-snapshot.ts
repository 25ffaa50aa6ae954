import type { MarketSnapshotView } from '../../contract/reports.js';
import { type FeeSchedule, type MarketEvent, volumeUnits } from '../../council/event.js';
import { settlementSources } from '../../council/market/rules.js';
import { rulesSha256 } from '../../db/digests.js';

/** The market of a report. Everything is from the event as it was frozen, so that reports of any age have it. */
export function presentMarketSnapshot(event: MarketEvent, takenAt: string): MarketSnapshotView {
  const { exclusive, canGrow, markets, source } = event;
  return {
    taken_at: takenAt,
    exclusive: exclusive || markets.length === 1,
    can_grow: canGrow,
    rules: event.description,
    rules_sha256: rulesSha256(event),
    settlement_sources: settlementSources(event),
    markets: markets.map(market => ({
      market_id: market.marketId,
      market: market.name,
      question: market.question,
      slug: market.slug,
      outcomes: market.sides,
      closes_at: market.closesAt,
      rules: market.rules,
      expected_at: market.expectedAt ?? null,
      latest_at: market.latestAt ?? null,
      early_close: market.earlyClose ?? null,
      status: market.status,
      resolution: market.resolution,
      placeholder: market.placeholder,
      other: market.other,
      best_bid: market.bestBid,
      best_ask: market.bestAsk,
      last_trade: market.lastTrade,
      volume: market.volume,
      taker_fee: presentFee(market.takerFee),
    })),
    volume_unit: volumeUnits[source],
  };
}

function presentFee(fee: FeeSchedule | null) {
  if (fee === null) return null;
  const { rate, exponent, roundedUpToUsd = null } = fee;
  return { rate, exponent, rounded_up_to: roundedUpToUsd };
}
