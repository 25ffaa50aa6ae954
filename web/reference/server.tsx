import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { schemaParsers } from '../../contract/callers/answer-parsers.js';
import { PageApiContext } from '../api/api.js';
import { createApi } from '../api/create-api.js';
import { createQueryClient } from '../api/query-client.js';
import { Layout } from '../shared/layout.js';
import type { OpenApi } from './open-api.js';
import { ReferencePage } from './reference-page.js';

export interface ReferenceRequest {
  readonly document: OpenApi;
  /** `reference.html`, as built by vite. */
  readonly template: string;
  /** Where the examples call the API. */
  readonly baseUrl: string;
}

/** Renders the API reference within the layout of the other pages. It depends on nothing but the service itself. */
export function renderReference({ document, template, baseUrl }: ReferenceRequest): string {
  // The layout asks for it; on the server it requests nothing.
  const api = createApi({ baseUrl, parsers: schemaParsers, sessions: null });
  const body = renderToStaticMarkup(
    <QueryClientProvider client={createQueryClient()}>
      <PageApiContext value={api}>
        <StaticRouter location="/docs">
          <Layout>
            <ReferencePage document={document} baseUrl={baseUrl} />
          </Layout>
        </StaticRouter>
      </PageApiContext>
    </QueryClientProvider>,
  );
  return template.replace('<!--page-body-->', () => body);
}
