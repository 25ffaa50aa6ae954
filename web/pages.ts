import type { Page } from './page.js';
import { eventsPage } from './pages/events.js';
import { missing } from './pages/missing.js';
import { signInPage } from './pages/sign-in.js';

/** Every page of the site, in the order in which a path is matched. */
export const pages: readonly Page[] = [eventsPage, signInPage];

export const missingPage: Page = missing;
