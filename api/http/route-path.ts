import type { Request } from 'express';

/** The pattern of the matched route, the same for `/api/reports/7` and `/API/reports/8`. Default: `none`. */
export function routePattern(request: Request): string {
  const path: unknown = request.route?.path;
  if (typeof path !== 'string') return 'none';
  // Routes with a wildcard are mounted on the app, so their pattern is complete.
  if (path.includes('*')) return path;
  const actual = segmentsOf(pathOf(request));
  const own = segmentsOf(path);
  // The segments before the route's own are the mount path of its router. `request.baseUrl` is not usable
  // here: it is reset before errors are handled, and keeps the caller's letter case.
  const mount = actual.slice(0, actual.length - own.length).map(segment => segment.toLowerCase());
  return `/${[...mount, ...own].join('/')}`;
}

/** The path of the request as the caller sent it, independent of the current router. */
export function pathOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  return originalUrl.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(segment => segment !== '');
}
