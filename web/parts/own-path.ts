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
