import type { Request } from 'express';

/**
 * The route that a request met, as it is written and not as it was asked for: one name for `/api/reports/7` and
 * `/API/reports/8`, whatever has become of the request. `none` where nothing here is at that path.
 */
export function routePattern(request: Request): string {
  const path: unknown = request.route?.path;
  if (typeof path !== 'string') return 'none';
  // A route that holds a wildcard is no router's: it is written whole.
  if (path.includes('*')) return path;
  const asked = segmentsOf(pathOf(request));
  const own = segmentsOf(path);
  // What stands before the route's own part is where its router is mounted. `request.baseUrl` is empty again by the time an
  // error is answered, and is spelt as the caller spelt it.
  const mount = asked.slice(0, asked.length - own.length).map(segment => segment.toLowerCase());
  return `/${[...mount, ...own].join('/')}`;
}

/** The path as it was asked for, at whatever router one looks at it. */
export function pathOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  return originalUrl.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(segment => segment !== '');
}
