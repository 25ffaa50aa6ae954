import type { ComponentType } from 'react';
import { matchPath } from 'react-router';
import { AccountPage } from '../pages/account.js';
import { EventPage } from '../pages/event.js';
import { EventsPage } from '../pages/events.js';
import { KeysPage } from '../pages/keys.js';
import { NotFoundPage } from '../pages/not-found.js';
import { ReportPage } from '../pages/report.js';
import { ReportsPage } from '../pages/reports.js';
import { SamplePage } from '../pages/sample.js';
import { SignInPage } from '../pages/sign-in.js';
import { TrackRecordPage } from '../pages/track-record.js';
import { pageTitle } from '../shared/format.js';
import { type Load, loadEvent, loadEvents, loadReport, loadSample, loadTrackRecord } from './loaders.js';

export interface Page {
  /** Pattern of the router. */
  readonly path: string;
  readonly title: string;
  readonly Content: ComponentType;
  readonly status: 200 | 404;
  /** Loads the public data of the page on the server; absent for private pages. */
  readonly load?: Load;
}

const notFoundPage: Page = {
  path: '*',
  title: pageTitle('Not found'),
  Content: NotFoundPage,
  status: 404,
};

const home = 'Council Report: four AI models on one question';

/** Every page of the site, in the order in which paths are matched. */
export const pages: readonly Page[] = [
  { path: '/', title: home, Content: EventsPage, status: 200, load: loadEvents },
  { path: '/events/:eventId', title: pageTitle('Event'), Content: EventPage, status: 200, load: loadEvent },
  {
    path: '/sample',
    title: pageTitle('A sample report'),
    Content: SamplePage,
    status: 200,
    load: loadSample,
  },
  { path: '/reports', title: pageTitle('Your reports'), Content: ReportsPage, status: 200 },
  { path: '/reports/:id', title: pageTitle('Report'), Content: ReportPage, status: 200, load: loadReport },
  {
    path: '/track-record',
    title: pageTitle('Track record'),
    Content: TrackRecordPage,
    status: 200,
    load: loadTrackRecord,
  },
  { path: '/account', title: pageTitle('Your account'), Content: AccountPage, status: 200 },
  { path: '/keys', title: pageTitle('API keys'), Content: KeysPage, status: 200 },
  { path: '/sign-in', title: pageTitle('Sign in'), Content: SignInPage, status: 200 },
  notFoundPage,
];

/** The page at a path, and the parameters in the path. */
export function findPage(path: string): {
  readonly page: Page;
  readonly parameters: Readonly<Record<string, string | undefined>>;
} {
  for (const page of pages) {
    const match = matchPath(page.path, path);
    if (match !== null) return { page, parameters: match.params };
  }
  return { page: notFoundPage, parameters: {} };
}
