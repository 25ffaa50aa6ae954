import { queryOptions } from '@tanstack/react-query';
import type { ReportStatus } from '../../client/api-types.js';
import type { CheckView } from '../../contract/purchase.js';
import { type Api, CouncilProblem } from './api.js';

/**
 * Queries of a signed-in user, besides those in `account/use-session.ts`. Their keys begin with `private`, so that
 * signing out removes them all.
 */

const rowsPerPage = 20;
export const paging = (page: number) => ({ page, per_page: rowsPerPage });

/** The price of a report on a lane, and what pays for it. */
export const offerQuery = (api: Api, eventId: string, lane: CheckView['lane']) =>
  queryOptions({
    queryKey: ['private', 'offer', eventId, lane],
    queryFn: ({ signal }): Promise<LaneOffer> =>
      api
        .request('GET /api/reports/check/{event_id}', {
          path: { event_id: eventId },
          query: { lane },
          signal,
        })
        .then(check => ({ lane, check, missing: [], reopensInSeconds: null }), orUnavailable(lane)),
    staleTime: 0,
  });

/**
 * Without an event stream: how long the API may hold its response until a run has made progress. It does not know what
 * this page shows: progress between two requests is seen only with the second response, so this is also how late the page
 * may be.
 */
export const waitSeconds = 5;
/** The pause after a failed request. The run continues whether or not the page can follow it. */
export const retryAfterMs = 4_000;
/** How often a list is refreshed while one of its reports is running. */
export const refreshMs = 4_000;

/** @param isFollowed whether its event stream is open, which asks for each reading (`useReportStream`) */
export const reportQuery = (api: Api, id: number, isFollowed: boolean) =>
  queryOptions({
    queryKey: ['private', 'report', id],
    queryFn: ({ signal, client, queryKey }) =>
      api.request('GET /api/reports/{id}', {
        path: { id },
        signal,
        // The first request shows the present state; later ones wait for progress.
        ...(isFollowed || client.getQueryData(queryKey) === undefined
          ? {}
          : { headers: { prefer: `wait=${waitSeconds}` } }),
      }),
    refetchInterval: ({ state: { data, status } }) => {
      if (data?.status !== 'pending' && data?.status !== 'processing') return false;
      if (status === 'error') return retryAfterMs;
      return isFollowed ? false : 1;
    },
  });

/** @param status only reports with this status; empty for all */
export const reportsQuery = (api: Api, page: number, status: ReportStatus | '') =>
  queryOptions({
    queryKey: ['private', 'reports', page, status],
    queryFn: ({ signal }) =>
      api.request('GET /api/reports', {
        query: { ...paging(page), ...(status === '' ? {} : { status }) },
        signal,
      }),
    refetchInterval: ({ state: { data } }) =>
      data?.reports.some(({ status }) => status === 'pending' || status === 'processing') === true
        ? refreshMs
        : false,
  });

export const ledgerQuery = (api: Api, page: number) =>
  queryOptions({
    queryKey: ['private', 'ledger', page],
    queryFn: ({ signal }) => api.request('GET /api/credits/ledger', { query: paging(page), signal }),
  });

export const packsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['packs'],
    queryFn: ({ signal }) => api.request('GET /api/credits/packs', { signal, as: 'nobody' }),
  });

export const billingStatusQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'billing'],
    queryFn: ({ signal }) => api.request('GET /api/billing/status', { signal }),
  });

export const keysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'keys'],
    queryFn: ({ signal }) => api.request('GET /api/keys', { signal }),
  });

export const providerKeysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'provider-keys'],
    queryFn: ({ signal }) => api.request('GET /api/provider-keys', { signal }),
  });

export const webhooksQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'webhooks'],
    queryFn: ({ signal }) => api.request('GET /api/webhooks', { signal }),
  });

/** Refreshed while one of the deliveries is about to be tried. */
export const deliveriesQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['private', 'webhooks', id, 'deliveries'],
    queryFn: ({ signal }) =>
      api.request('GET /api/webhooks/{id}/deliveries', { path: { id }, query: paging(1), signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some(({ next_attempt_at: next }) => next !== null && isNear(next)) === true
        ? refreshMs
        : false,
  });

const isNear = (time: string) => Date.parse(time) < Date.now() + 60_000;

/** One way to pay, and whether the account can use it now. */
export interface LaneOffer {
  readonly lane: CheckView['lane'];
  /** Null if the lane cannot be used now. */
  readonly check: CheckView | null;
  /** What the lane needs and the account does not have. */
  readonly missing: readonly string[];
  /** Not null if the service has reached its own limit of the day for reports on the lane. */
  readonly reopensInSeconds: number | null;
}

/** A lane that cannot be used is a valid result, not an error: the account may have others. */
function orUnavailable(lane: CheckView['lane']): (error: unknown) => LaneOffer {
  return error => {
    if (!(error instanceof CouncilProblem)) throw error;
    const { code, document, retryAfterSeconds } = error;
    const unusable = { lane, check: null, missing: document?.missing ?? [], reopensInSeconds: null };
    // Its setup has changed since it was read.
    if (code === 'lane_unavailable') return unusable;
    if (code === 'house_limit_reached') return { ...unusable, reopensInSeconds: retryAfterSeconds ?? 0 };
    throw error;
  };
}
