import { dehydrate, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { ApiContext } from './api/api.js';
import { createApi, createQueryClient } from './api/create-api.js';
import { App } from './app/app.js';
import { findPage } from './app/pages.js';

/** What the server puts into `index.html`. */
export interface RenderedPage {
  readonly status: number;
  readonly title: string;
  readonly body: string;
  /** JSON from which the browser takes over. */
  readonly data: string;
}

/**
 * Renders a page for whoever has no script, or has none yet. What is private is never rendered here: nobody is signed in on
 * the server, so one answer serves all.
 * @param apiUrl where the public API is spoken to, with these headers
 */
export async function renderPage(
  url: string,
  apiUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<RenderedPage> {
  const queryClient = createQueryClient();
  const api = createApi(apiUrl, null, headers);
  const location = new URL(url, 'http://page');
  const { page, parameters } = findPage(location.pathname);
  const found = await page.load?.({ api, queryClient, parameters, search: location.searchParams });
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
  const data = JSON.stringify(dehydrate(queryClient));
  return { status: found?.status ?? page.status, title: found?.title ?? page.title, body, data };
}
