import type { Request } from 'express';

/** The pattern of the matched route, the same for `/api/reports/7` and `/API/reports/8`. Default: `none`. */
export function routePattern(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === 'string' ? path : 'none';
}

/** The path of the request as the caller sent it, independent of the current router. */
export function pathOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  return originalUrl.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}
