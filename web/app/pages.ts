import { matchPath } from 'react-router';
import { accountPage } from '../pages/account.js';
import { eventPage } from '../pages/event.js';
import { eventsPage } from '../pages/events.js';
import { keysPage } from '../pages/keys.js';
import { missing } from '../pages/missing.js';
import { reportPage } from '../pages/report.js';
import { reportsPage } from '../pages/reports.js';
import { samplePage } from '../pages/sample.js';
import { signInPage } from '../pages/sign-in.js';
import { trackRecordPage } from '../pages/track-record.js';
import type { Page } from './page.js';

/** Every page of the site, in the order in which a path is matched. */
export const pages: readonly Page[] = [
  eventsPage,
  eventPage,
  samplePage,
  reportsPage,
  reportPage,
  trackRecordPage,
  accountPage,
  keysPage,
  signInPage,
];

export const missingPage: Page = missing;

/** The page at a path, and what the path says about it. */
export function findPage(path: string): {
  readonly page: Page;
  readonly parameters: Readonly<Record<string, string | undefined>>;
} {
  for (const page of pages) {
    const match = matchPath(page.path, path);
    if (match !== null) return { page, parameters: match.params };
  }
  return { page: missingPage, parameters: {} };
}
