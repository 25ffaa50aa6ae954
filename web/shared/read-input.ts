/** What stands in a field of a form that was submitted. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Which page of a list an address asks for; the first unless it says so sensibly. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 && page <= pageMax ? page : 1;
}

/** As far as the API goes. */
const pageMax = 10_000;

const here = 'http://here';

/**
 * Only a path of this site: an address from outside must not send anybody elsewhere. Read as a browser reads it, which drops
 * tabs and takes backslashes for slashes, and therefore not by looking at its first characters.
 */
export function ownPath(to: string | null): string {
  if (to === null || !to.startsWith('/') || !URL.canParse(to, here)) return '/';
  const { origin, pathname, search, hash } = new URL(to, here);
  // Two slashes in front name a host; dots that were dropped can leave them behind.
  return origin !== here || pathname.startsWith('//') ? '/' : pathname + search + hash;
}
