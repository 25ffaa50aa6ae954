import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { billingStatusShape } from '../../contract/billing.js';
import { balanceShape, ledgerShape, packListShape } from '../../contract/credits.js';
import { keyListShape } from '../../contract/keys.js';
import { providerKeyListShape } from '../../contract/provider-keys.js';
import { type CheckView, checkShape } from '../../contract/purchase.js';
import { reportListShape, reportShape } from '../../contract/reports.js';
import { type Api, ApiProblem } from './api.js';

/** What needs somebody to be signed in. Every key begins with `private`, so that signing out forgets all of it. */

const rowsPerPage = 20;
const paging = (page: number) => new URLSearchParams({ page: String(page), per_page: String(rowsPerPage) });
const sessionShape = z.object({ user: z.object({ email: z.string(), name: z.string() }) }).nullable();

/** Who is signed in; null for nobody. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'session'],
    queryFn: ({ signal }) => api.get('/api/auth/get-session', sessionShape, { signal, as: 'nobody' }),
  });

/** What a report would cost on a lane, and out of what. */
export const offerQuery = (api: Api, eventId: string, lane: CheckView['lane']) =>
  queryOptions({
    queryKey: ['private', 'offer', eventId, lane],
    queryFn: ({ signal }): Promise<LaneOffer> =>
      api
        .get(`/api/reports/check/${encodeURIComponent(eventId)}?lane=${lane}`, checkShape, { signal })
        .then(check => ({ lane, check, missing: [] }), orRefusedLane(lane)),
    staleTime: 0,
  });

/** How long the API may hold its answer until a run has come further. */
const waitSeconds = 20;
/** After a question that failed. The run goes on whether or not it can be watched. */
const askAgainMs = 4_000;
/** How often a listing is read anew while one of its reports is being made. */
const lookAgainMs = 4_000;

export const reportQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['private', 'report', id],
    queryFn: ({ signal, client, queryKey }) =>
      api.get(`/api/reports/${id}`, reportShape, {
        signal,
        // The first look shows what there is; only who looks again waits for more.
        ...(client.getQueryData(queryKey) === undefined
          ? {}
          : { headers: { prefer: `wait=${waitSeconds}` } }),
      }),
    refetchInterval: ({ state: { data, status } }) => {
      if (data?.status !== 'pending' && data?.status !== 'processing') return false;
      return status === 'error' ? askAgainMs : 1;
    },
  });

/** @param status only those that stand so; empty for all */
export const reportsQuery = (api: Api, page: number, status: string) =>
  queryOptions({
    queryKey: ['private', 'reports', page, status],
    queryFn: ({ signal }) => {
      const only = status === '' ? '' : `&${new URLSearchParams({ status })}`;
      return api.get(`/api/reports?${paging(page)}${only}`, reportListShape, { signal });
    },
    refetchInterval: ({ state: { data } }) =>
      data?.reports.some(({ status }) => status === 'pending' || status === 'processing') === true
        ? lookAgainMs
        : false,
  });

export const balanceQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'balance'],
    queryFn: ({ signal }) => api.get('/api/credits/balance', balanceShape, { signal }),
  });

export const ledgerQuery = (api: Api, page: number) =>
  queryOptions({
    queryKey: ['private', 'ledger', page],
    queryFn: ({ signal }) => api.get(`/api/credits/ledger?${paging(page)}`, ledgerShape, { signal }),
  });

export const packsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['packs'],
    queryFn: ({ signal }) => api.get('/api/credits/packs', packListShape, { signal, as: 'nobody' }),
  });

export const billingStatusQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'billing'],
    queryFn: ({ signal }) => api.get('/api/billing/status', billingStatusShape, { signal }),
  });

export const keysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'keys'],
    queryFn: ({ signal }) => api.get('/api/keys', keyListShape, { signal }),
  });

export const providerKeysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'provider-keys'],
    queryFn: ({ signal }) => api.get('/api/provider-keys', providerKeyListShape, { signal }),
  });

/** One way to pay, and whether this member can. */
export interface LaneOffer {
  readonly lane: CheckView['lane'];
  /** Null where the lane cannot be used. */
  readonly check: CheckView | null;
  /** What it cannot be used without. */
  readonly missing: readonly string[];
}

/** That a lane is not set up is an answer, and not a failure of the question. */
function orRefusedLane(lane: CheckView['lane']): (error: unknown) => LaneOffer {
  return error => {
    if (!(error instanceof ApiProblem) || error.code !== 'lane_unavailable') throw error;
    return { lane, check: null, missing: error.document?.missing ?? [] };
  };
}
