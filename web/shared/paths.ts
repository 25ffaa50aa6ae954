export const eventPath = (eventId: string) => `/events/${encodeURIComponent(eventId)}`;

/** The sign-in page, which continues to `target` afterwards. */
export const signInPath = (target: string) => `/sign-in?${new URLSearchParams({ to: target })}`;

/** Whether the id in the path of a report can exist. */
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
