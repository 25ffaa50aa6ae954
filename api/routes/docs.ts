import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { projectFiles } from '../../platform/settings/project-files.js';
import { sharedFiles } from '../http/cache-control.js';
import { sendPrebuilt } from '../http/prebuilt.js';

/** `/docs`: the OpenAPI document as an interactive reference, which works offline. */
export function docsRouter(): Router {
  return Router().use(
    '/docs',
    guardReference(),
    swaggerFiles(),
    compression(),
    express.static(projectFiles.apiReference, sharedFiles(filesCacheControl)),
  );
}

const filesCacheControl = 'public, max-age=3600';

/** The files that the reference loads; the package contains other builds and source maps too. */
function swaggerFiles(): RequestHandler {
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const files = new Map(
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map(name => {
      const content = readFileSync(join(folder, name));
      return [`/${name}`, sendPrebuilt({ type: extname(name), cacheControl: filesCacheControl, content })];
    }),
  );
  return (request, response, next) => (files.get(request.path) ?? passOn)(request, response, next);
}

const passOn: RequestHandler = (_request, _response, next) => next();

/** As strict as the other pages, plus `data:` images, which the style sheet of Swagger UI contains. */
function guardReference(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'form-action': ["'none'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
  });
}
