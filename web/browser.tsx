import { hydrate, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { PageApiContext } from './api/api.js';
import { createApi } from './api/create-api.js';
import { createQueryClient } from './api/query-client.js';
import { sessionTokens } from './api/session-tokens.js';
import { App } from './app/app.js';
import { findPage } from './app/pages.js';
import './style/index.css';

/**
 * Hydrates the page that the server rendered, with its code and the data that it was rendered from. A function,
 * because a module that waited for the code of a page would never end: that code imports this one.
 */
async function takeOver(page: HTMLElement): Promise<void> {
  await findPage(window.location.pathname).page.code.load();
  const queryClient = createQueryClient();
  const api = createApi({ baseUrl: '', sessions: sessionTokens() });
  const data = document.getElementById('page-data')?.textContent;
  if (data !== undefined && data !== '') hydrate(queryClient, JSON.parse(data));
  hydrateRoot(
    page,
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <PageApiContext value={api}>
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </PageApiContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}

const page = document.getElementById('page');
if (page !== null) void takeOver(page);
