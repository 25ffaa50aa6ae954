import { useQueries } from '@tanstack/react-query';
import { lane as laneShape } from '../../../contract/parts.js';
import { useApi } from '../../api/api.js';
import { type LaneOffer, offerQuery } from '../../api/private-queries.js';

interface Offers {
  /** Null until every lane has been asked for. */
  readonly offers: readonly LaneOffer[] | null;
  /** Why a lane could not be asked for. */
  readonly error: unknown;
  readonly askAgain: () => void;
}

/** What a report on the event costs on every lane now. */
export function useOffers(eventId: string): Offers {
  const api = useApi();
  const lanes = laneShape.options;
  const asked = useQueries({ queries: lanes.map(lane => offerQuery(api, eventId, lane)) });
  const offers = asked.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    offers: offers.length === lanes.length ? offers : null,
    error: asked.find(({ error }) => error !== null)?.error ?? null,
    askAgain: () => {
      for (const each of asked) void each.refetch();
    },
  };
}
