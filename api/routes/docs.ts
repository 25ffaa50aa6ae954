import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { packageFacts, projectFiles } from '../../config/project-files.js';
import { sharedFiles } from '../http/cache-control.js';
import { sendShared } from '../http/etag.js';
import { createOpenApi } from '../openapi/document.js';

/** `/openapi.json`: the API description. `/docs`: the same as an interactive reference. Both work offline. */
export function docsRouter(): Router {
  return Router()
    .get('/openapi.json', compression(), openApi())
    .use(
      '/docs',
      compression(),
      guardReference(),
      express.static(projectFiles.apiReference, sharedFiles(filesCacheControl)),
      swaggerFiles(),
    );
}

/** Built once: the document is constant. */
function openApi(): RequestHandler {
  const text = JSON.stringify(createOpenApi(packageFacts().version));
  return (request, response) => sendShared(request, response, text, 'public, max-age=300');
}

const filesCacheControl = 'public, max-age=3600';

/** Serves the files that the page loads; the package contains other builds and source maps too. */
function swaggerFiles(): RequestHandler {
  const files = ['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png'];
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const serve = express.static(folder, { ...sharedFiles(filesCacheControl), index: false, redirect: false });
  return (request, response, next) => {
    if (files.includes(request.path)) serve(request, response, next);
    else next();
  };
}

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
