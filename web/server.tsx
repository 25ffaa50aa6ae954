import { dehydrate, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { schemaParsers } from '../contract/callers/answer-parsers.js';
import type { RecordEntryView } from '../contract/record-chain.js';
import { PageApiContext } from './api/api.js';
import { createApi } from './api/create-api.js';
import { recordHeadQuery } from './api/queries.js';
import { createQueryClient } from './api/query-client.js';
import { App } from './app/app.js';
import { loaders } from './app/loaders.js';
import { findPage } from './app/pages.js';

export { renderReference } from './reference/server.js';

export interface PageRequest {
  /** Path and query of the page. */
  readonly url: string;
  /** `index.html`, as built by vite or served by its dev server. */
  readonly template: string;
  /** Paths of the scripts that each page needs besides those in the template, by the source file of the page. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  /** Where the public API answers, and headers for every request to it. */
  readonly apiUrl: string;
  readonly apiHeaders: Readonly<Record<string, string>>;
  /** The newest entry of the record, which no page has to ask for. */
  readonly recordHead: RecordEntryView | null;
}

/**
 * Renders a page on the server, so that it can be read before or without JavaScript. The server has no
 * session: it renders only what is public, and the result is the same for every visitor.
 */
export async function renderPage({
  url,
  template,
  scripts,
  apiUrl,
  apiHeaders,
  recordHead,
}: PageRequest): Promise<{ readonly status: number; readonly html: string }> {
  const queryClient = createQueryClient();
  queryClient.setQueryData(recordHeadQuery.queryKey, recordHead);
  const api = createApi({ baseUrl: apiUrl, headers: apiHeaders, parsers: schemaParsers, sessions: null });
  const location = new URL(url, 'http://page');
  const { page, parameters } = findPage(location.pathname);
  const [loaded] = await Promise.all([
    loaders[page.path]?.({ api, queryClient, parameters, search: location.searchParams }),
    page.code.load(),
  ]);
  const body = renderToString(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <PageApiContext value={api}>
          <StaticRouter location={location.pathname + location.search}>
            <App />
          </StaticRouter>
        </PageApiContext>
      </QueryClientProvider>
    </StrictMode>,
  );
  const title = loaded?.title ?? page.title;
  const data = JSON.stringify(dehydrate(queryClient));
  const html = fillTemplate(template, { title, scripts: scripts[page.code.file] ?? [], body, data });
  return { status: loaded?.status ?? page.status, html };
}

interface PageParts {
  readonly title: string;
  readonly scripts: readonly string[];
  readonly body: string;
  /** JSON from which the browser takes over. */
  readonly data: string;
}

/**
 * Fills the places of the template in one pass, because what is put into one of them can hold the name of another: a
 * visitor may search for any text. By a function, because `replace` interprets a `$` in a replacement string.
 */
function fillTemplate(template: string, { title, scripts, body, data }: PageParts): string {
  const parts = new Map([
    ['<!--page-title-->', escapeText(title)],
    // Loaded beside the first script, which would otherwise request them only when it has been loaded itself.
    [
      '<!--page-scripts-->',
      scripts
        .map(path => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${path}">`)
        .join(''),
    ],
    ['<!--page-body-->', body],
    ['"the data of the page"', escapeScript(data)],
  ]);
  return template.replace(/<!--page-\w+-->|"the data of the page"/g, place => parts.get(place) ?? place);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Text of an event or a model must not end the script element that carries the data. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
