/** Names of the thresholds of the method. */
const names: Readonly<Record<string, string>> = {
  pool_clamp_min: 'Minimum probability in the pool',
  pool_clamp_max: 'Maximum probability in the pool',
  blend_council_weight: 'Weight of the council in the graded blend',
  log_score_clamp_min: 'Minimum probability in the log score',
  quorum_opinions: 'Opinions required for a report',
  dissent_min_points: 'Distance from the council at which a member dissents, in points',
  outcomes_max: 'Maximum number of outcomes',
  spread_trusted: 'Widest trusted bid-ask spread, in dollars',
  implied_sum_min: 'Minimum sum of the prices of an exclusive event',
  implied_sum_max: 'Maximum sum of the prices of an exclusive event',
  conflict_favourite_points: 'Conflict: lead of the council’s own favourite, in points',
  conflict_total_variation: 'Conflict: total variation distance',
  market_favourite_tie_points: 'Price difference up to which favourites are tied, in points',
  edge_min_points: 'Edge: minimum, in points',
  edge_min_points_degraded: 'Edge: minimum if a model was lost, in points',
  edge_min_return: 'Edge: minimum expected return per dollar',
  share_cost_min: 'Minimum share cost, in dollars',
  share_cost_max: 'Maximum share cost, in dollars',
  pick_min_return: 'Pick: minimum expected return per dollar',
  market_gap_min_points: 'Distance of council and market that is explained, in points',
  dispersion_usual: 'Usual dispersion of the members',
  quote_fresh_seconds: 'Maximum age of prices for a bet, in seconds',
  top_bets_max: 'Maximum number of bets',
  stake_kelly_share: 'Stake: share of the Kelly fraction',
  stake_event_max: 'Stake: maximum fraction of a bankroll on one event',
  stake_decimals: 'Stake: decimals, rounded down',
  confidence_max: 'Maximum confidence',
  confidence_spread_zero: 'Distance between members at which agreement is zero',
  confidence_per_lost_model: 'Confidence factor for each lost model',
  confidence_degraded: 'Confidence factor if a member was lost',
  confidence_in_conflict: 'Confidence factor in a conflict',
  confidence_without_evidence: 'Confidence factor if the search found nothing',
};

/** A threshold that has no name here is shown by its key. */
export function thresholdName(key: string): string {
  return names[key] ?? key.replaceAll('_', ' ');
}
