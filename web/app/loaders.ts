import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../api/api.js';
import {
  eventPricesQuery,
  eventQuery,
  eventsQuery,
  pricingQuery,
  sampleReportQuery,
  trackRecordQuery,
} from '../api/queries.js';
import { isBatchId } from '../batches/format-batches.js';
import { filtersIn } from '../event/event-filters.js';
import { chartedMarket } from '../event/format-markets.js';
import { pageTitle } from '../shared/format.js';
import { isReportId } from '../shared/paths.js';
import { pageIn } from '../shared/read-input.js';

interface LoadContext {
  readonly api: Api;
  readonly queryClient: QueryClient;
  /** Parameters in the path. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly search: URLSearchParams;
}

/** Status and title of the response, where they differ from the page's own. */
interface Loaded {
  readonly status?: 404 | 503;
  readonly title?: string;
}

/** Fills the query cache with the public data of a page, before the server renders it. */
type Load = (context: LoadContext) => Promise<Loaded>;

const loadEvents: Load = async ({ api, queryClient, search }) => {
  const query = { ...filtersIn(search), page: pageIn(search) };
  await queryClient.prefetchQuery(eventsQuery(api, query));
  return {};
};

const loadEvent: Load = async ({ api, queryClient, parameters }) => {
  const query = eventQuery(api, parameters['eventId'] ?? '');
  await Promise.all([queryClient.prefetchQuery(query), queryClient.prefetchQuery(pricingQuery(api))]);
  const event = queryClient.getQueryData(query.queryKey);
  if (event === undefined) return { status: 503 };
  if (event === null) return { status: 404 };
  const charted = chartedMarket(event);
  if (charted !== null) {
    await inTime(queryClient.prefetchQuery(eventPricesQuery(api, event.event_id, charted)));
  }
  return { title: pageTitle(event.title) };
};

const extrasPatienceMs = 1_000;

/** Waits for what a page can do without; the browser asks for it again. */
function inTime(loading: Promise<void>): Promise<void> {
  return Promise.race([loading, new Promise<void>(resolve => setTimeout(resolve, extrasPatienceMs))]);
}

/** Reports are private and loaded by the browser; the server only checks the id. */
const loadReport: Load = async ({ parameters }) =>
  isReportId(parameters['id'] ?? '') ? {} : { status: 404 };

/** Like reports. */
const loadBatch: Load = async ({ parameters }) => (isBatchId(parameters['id'] ?? '') ? {} : { status: 404 });

const loadSample: Load = async ({ api, queryClient }) => {
  const query = sampleReportQuery(api);
  await queryClient.prefetchQuery(query);
  const sample = queryClient.getQueryData(query.queryKey);
  if (sample === undefined) return { status: 503 };
  return sample === null ? { status: 404 } : {};
};

const loadTrackRecord: Load = async ({ api, queryClient }) => {
  const query = trackRecordQuery(api);
  await queryClient.prefetchQuery(query);
  return queryClient.getQueryData(query.queryKey) === undefined ? { status: 503 } : {};
};

/** The loaders by path of the page. Private pages have none: only the browser knows who is signed in. */
export const loaders: Readonly<Record<string, Load>> = {
  '/': loadEvents,
  '/events/:eventId': loadEvent,
  '/reports/:id': loadReport,
  '/batches/:id': loadBatch,
  '/sample': loadSample,
  '/track-record': loadTrackRecord,
};
