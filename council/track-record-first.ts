import { type CouncilAndMarket, type Standing, standing } from './track-record-standing.js';

/** Takes the first row of each event, and none after it. */
export function firstReports() {
  const seen = new Set<string>();
  const first = standing();
  return {
    add: (eventId: string, scores: CouncilAndMarket): void => {
      if (seen.has(eventId)) return;
      seen.add(eventId);
      first.add(eventId, scores);
    },
    /** How many events there are, and how their first reports stand. */
    finish: (): { readonly events: number; readonly standing: Standing } => ({
      events: seen.size,
      standing: first.finish(),
    }),
  };
}
