/** The venues, as people name them. */
export const venueNames = { polymarket: 'Polymarket', kalshi: 'Kalshi', sample: 'Sample events' } as const;

/** Why an event without markets gets no report. Those that are only provisional are not shown. */
export const noMarketsText =
  'This event has no market yet that is certain to stay. The venue may remove a provisional one if nobody trades it.';

/** Which venues are missing in what a search has found: empty if none. */
export function unavailableText(venues: readonly string[]): string {
  return venues.length === 0 ? '' : `Could not be searched now: ${venues.join(', ')}.`;
}
