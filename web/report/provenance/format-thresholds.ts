/** What each number of the method is, for people. One that is not listed here is shown by its own name. */
const words: Readonly<Record<string, string>> = {
  pool_clamp_min: 'Inside the pool no probability counts as less than',
  pool_clamp_max: 'Inside the pool no probability counts as more than',
  blend_council_weight: 'Weight of the council in the graded blend',
  log_score_clamp_min: 'In the log score, what happened was given at least',
  quorum_opinions: 'Opinions needed for a report',
  dissent_min_points: 'Points from the council at which a member dissents',
  outcomes_max: 'Outcomes asked about at most',
  spread_trusted: 'Widest spread of bid and ask that is a price, in dollars',
  implied_sum_min: 'Prices of an exclusive event add up to at least',
  implied_sum_max: 'Prices of an exclusive event add up to at most',
  conflict_favourite_points: 'Conflict: lead of the council’s own favourite, in points',
  conflict_total_variation: 'Conflict: share of probability that would have to move',
  market_favourite_tie_points: 'Prices this many points apart are equal favourites',
  edge_min_points: 'Edge: points over the market',
  edge_min_points_degraded: 'Edge: points over the market, when a model was lost',
  edge_min_return: 'Edge: expected return on a dollar, at least',
  share_cost_min: 'A share costs at least, in dollars',
  share_cost_max: 'A share costs at most, in dollars',
  quote_fresh_seconds: 'Prices are too old to bet at after so many seconds',
  top_bets_max: 'Bets named at most',
  confidence_max: 'Confidence ends at',
  confidence_spread_zero: 'Gap between members at which they agree on nothing',
  confidence_per_lost_model: 'Confidence is multiplied by this for each model lost',
  confidence_in_conflict: 'Confidence is multiplied by this in conflict',
};

export function thresholdName(key: string): string {
  return words[key] ?? key.replaceAll('_', ' ');
}
