import { hydrate, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { trustingParsers } from './api/answer-parsers.js';
import { ApiContext } from './api/api.js';
import { createApi } from './api/create-api.js';
import { createQueryClient } from './api/query-client.js';
import { sessionTokens } from './api/session-tokens.js';
import { App } from './app/app.js';
import './style/index.css';

/** Hydrates the page that the server rendered, with the data that it was rendered from. */
const queryClient = createQueryClient();
const api = createApi({ baseUrl: '', headers: {}, parsers: trustingParsers, sessions: sessionTokens() });
const page = document.getElementById('page');
const data = document.getElementById('page-data')?.textContent;
if (data !== undefined && data !== '') hydrate(queryClient, JSON.parse(data));

if (page !== null) {
  hydrateRoot(
    page,
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ApiContext value={api}>
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </ApiContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
