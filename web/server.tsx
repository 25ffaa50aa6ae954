import { dehydrate, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { ApiContext } from './api/api.js';
import { createApi } from './api/create-api.js';
import { schemaParsers } from './api/parse-answers.js';
import { createQueryClient } from './api/query-client.js';
import { App } from './app/app.js';
import { findPage } from './app/pages.js';

export interface PageRequest {
  /** Path and query of the page. */
  readonly url: string;
  /** `index.html`, as built by vite or served by its dev server. */
  readonly template: string;
  /** Where the public API answers, and headers for every request to it. */
  readonly apiUrl: string;
  readonly apiHeaders: Readonly<Record<string, string>>;
}

/**
 * Renders a page on the server, so that it can be read before or without JavaScript. The server has no
 * session: it renders only what is public, and the result is the same for every visitor.
 */
export async function renderPage({
  url,
  template,
  apiUrl,
  apiHeaders,
}: PageRequest): Promise<{ readonly status: number; readonly html: string }> {
  const queryClient = createQueryClient();
  const api = createApi({ baseUrl: apiUrl, headers: apiHeaders, parsers: schemaParsers, sessions: null });
  const location = new URL(url, 'http://page');
  const { page, parameters } = findPage(location.pathname);
  const loaded = await page.load?.({ api, queryClient, parameters, search: location.searchParams });
  const body = renderToString(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ApiContext value={api}>
          <StaticRouter location={location.pathname + location.search}>
            <App />
          </StaticRouter>
        </ApiContext>
      </QueryClientProvider>
    </StrictMode>,
  );
  const title = loaded?.title ?? page.title;
  const data = JSON.stringify(dehydrate(queryClient));
  return { status: loaded?.status ?? page.status, html: fillTemplate(template, { title, body, data }) };
}

interface PageParts {
  readonly title: string;
  readonly body: string;
  /** JSON from which the browser takes over. */
  readonly data: string;
}

/** Replaces by functions, because `replace` interprets a `$` in a replacement string. */
function fillTemplate(template: string, { title, body, data }: PageParts): string {
  return template
    .replace('<!--page-title-->', () => escapeText(title))
    .replace('<!--page-body-->', () => body)
    .replace('"the data of the page"', () => escapeScript(data));
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Text of an event or a model must not end the script element that carries the data. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
