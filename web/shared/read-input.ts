/** The text of a field in a submitted form. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Highest page that the API accepts. */
const pageMax = 10_000;

/** The page of a list that an address names; the first page if it names none or an invalid one. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 && page <= pageMax ? page : 1;
}

export const isReportId = (id: string) => /^[1-9]\d{0,14}$/.test(id);

const origin = 'http://site';

/**
 * Reduces the target of a redirect to a path of this site, because a link from outside could name another
 * site. Parses the target as a browser does, which drops tabs and treats backslashes as slashes, so checking
 * its first characters would not be enough.
 */
export function ownPath(target: string | null): string {
  if (target === null || !target.startsWith('/') || !URL.canParse(target, origin)) return '/';
  const url = new URL(target, origin);
  // A path that begins with two slashes names a host; removing dot segments can produce one.
  return url.origin !== origin || url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash;
}
