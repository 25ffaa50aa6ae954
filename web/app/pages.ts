import { matchPath } from 'react-router';
import { pageTitle } from '../shared/format.js';
import { type LazyPage, lazyPage } from './lazy-page.js';

export interface SitePage {
  /** Pattern of the router. */
  readonly path: string;
  readonly title: string;
  readonly code: LazyPage;
  readonly status: 200 | 404;
}

const notFoundPage: SitePage = {
  path: '*',
  title: pageTitle('Not found'),
  code: lazyPage('pages/not-found.tsx', async () => (await import('../pages/not-found.js')).NotFoundPage),
  status: 404,
};

/** Every page of the site, in the order in which paths are matched. */
const pages: readonly SitePage[] = [
  {
    path: '/',
    title: 'Council Report: four AI models on one question',
    code: lazyPage('pages/events.tsx', async () => (await import('../pages/events.js')).EventsPage),
    status: 200,
  },
  {
    path: '/events/:eventId',
    title: pageTitle('Event'),
    code: lazyPage('pages/event.tsx', async () => (await import('../pages/event.js')).EventPage),
    status: 200,
  },
  {
    path: '/sample',
    title: pageTitle('A sample report'),
    code: lazyPage('pages/sample.tsx', async () => (await import('../pages/sample.js')).SamplePage),
    status: 200,
  },
  {
    path: '/reports',
    title: pageTitle('Your reports'),
    code: lazyPage('pages/reports.tsx', async () => (await import('../pages/reports.js')).ReportsPage),
    status: 200,
  },
  {
    path: '/reports/:id',
    title: pageTitle('Report'),
    code: lazyPage('pages/report.tsx', async () => (await import('../pages/report.js')).ReportPage),
    status: 200,
  },
  {
    path: '/batches',
    title: pageTitle('Your batches'),
    code: lazyPage('pages/batches.tsx', async () => (await import('../pages/batches.js')).BatchesPage),
    status: 200,
  },
  {
    path: '/batches/:id',
    title: pageTitle('Batch'),
    code: lazyPage('pages/batch.tsx', async () => (await import('../pages/batch.js')).BatchPage),
    status: 200,
  },
  {
    path: '/track-record',
    title: pageTitle('Track record'),
    code: lazyPage(
      'pages/track-record.tsx',
      async () => (await import('../pages/track-record.js')).TrackRecordPage,
    ),
    status: 200,
  },
  {
    path: '/account',
    title: pageTitle('Your account'),
    code: lazyPage('pages/account.tsx', async () => (await import('../pages/account.js')).AccountPage),
    status: 200,
  },
  {
    path: '/keys',
    title: pageTitle('API keys'),
    code: lazyPage('pages/keys.tsx', async () => (await import('../pages/keys.js')).KeysPage),
    status: 200,
  },
  {
    path: '/webhooks',
    title: pageTitle('Webhooks'),
    code: lazyPage('pages/webhooks.tsx', async () => (await import('../pages/webhooks.js')).WebhooksPage),
    status: 200,
  },
  {
    path: '/sign-in',
    title: pageTitle('Sign in'),
    code: lazyPage('pages/sign-in.tsx', async () => (await import('../pages/sign-in.js')).SignInPage),
    status: 200,
  },
  {
    path: '/forgotten-password',
    title: pageTitle('Forgotten password'),
    code: lazyPage(
      'pages/forgotten-password.tsx',
      async () => (await import('../pages/forgotten-password.js')).ForgottenPasswordPage,
    ),
    status: 200,
  },
  {
    path: '/new-password',
    title: pageTitle('New password'),
    code: lazyPage(
      'pages/new-password.tsx',
      async () => (await import('../pages/new-password.js')).NewPasswordPage,
    ),
    status: 200,
  },
  {
    path: '/email-verified',
    title: pageTitle('Your e-mail address'),
    code: lazyPage(
      'pages/email-verified.tsx',
      async () => (await import('../pages/email-verified.js')).EmailVerifiedPage,
    ),
    status: 200,
  },
  notFoundPage,
];

/** The page at a path as it is in the address, and the decoded parameters in the path. */
export function findPage(path: string): {
  readonly page: SitePage;
  readonly parameters: Readonly<Record<string, string | undefined>>;
} {
  const decoded = decodedPath(path);
  for (const page of pages) {
    const match = matchPath(page.path, decoded);
    if (match !== null) return { page, parameters: match.params };
  }
  return { page: notFoundPage, parameters: {} };
}

/** An encoded slash stays encoded, because it is part of a parameter; `matchPath` decodes it. */
function decodedPath(path: string): string {
  try {
    return path
      .split('/')
      .map(part => decodeURIComponent(part).replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return path;
  }
}
