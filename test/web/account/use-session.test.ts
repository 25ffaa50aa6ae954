import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { useSession } from '../../../web/account/use-session.js';
import { trustingParsers } from '../../../web/api/answer-parsers.js';
import { PageApiContext } from '../../../web/api/api.js';
import { createApi } from '../../../web/api/create-api.js';

const api = createApi({ baseUrl: 'http://page', headers: {}, parsers: trustingParsers, sessions: null });

function Greeting() {
  const { data } = useSession();
  return createElement('p', null, data === undefined ? 'not known yet' : (data?.email ?? 'nobody'));
}

/** What a part of the page shows when React takes it over: it renders as on the server, and compares the two. */
function firstRender(queryClient: QueryClient): string {
  const content = createElement(PageApiContext, { value: api }, createElement(Greeting));
  return renderToString(createElement(QueryClientProvider, { client: queryClient }, content));
}

test('a part of a page that is taken over after the session has arrived begins as the server rendered it', () => {
  const queryClient = new QueryClient();
  const served = firstRender(queryClient);
  expect(served).toContain('not known yet');
  queryClient.setQueryData(['private', 'session'], () => ({ email: 'member@example.org' }));
  expect(firstRender(queryClient)).toBe(served);
});
