import { matchPath } from 'react-router';
import type { Page } from './page.js';
import { missingPage, pages } from './pages.js';

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
