import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * What a browser may do with an answer: load scripts, styles and pictures from here and from nowhere else, run nothing that
 * stands in a document, be framed by nobody. Paying happens on the provider's own page, which the browser is sent to.
 */
export function guardBrowsers(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
  });
}
