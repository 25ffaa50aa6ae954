import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { packageFacts, projectFiles } from '../../config/project-files.js';
import { matchesEtag } from '../http/etag.js';
import { createOpenApi } from '../openapi/document.js';

/** `/openapi.json`: the interface for programs. `/docs`: the same for people, who can try it. Both work offline. */
export function docsRouter(): Router {
  return Router()
    .get('/openapi.json', compression(), openApi())
    .use(
      '/docs',
      compression(),
      guardReference(),
      express.static(ownFiles, { maxAge: assetsKeptFor }),
      swaggerFiles(),
    );
}

/** The document does not change while the process lives. */
function openApi(): RequestHandler {
  const text = JSON.stringify(createOpenApi(packageFacts().version));
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  return (request, response) => {
    response.set('Cache-Control', 'public, max-age=300').set('ETag', etag);
    if (matchesEtag(request, etag)) response.status(304).end();
    else response.type('application/json').send(text);
  };
}

const ownFiles = join(projectFiles.root, 'api', 'docs');
const assetsKeptFor = '1h';

/** The library comes with maps and other builds of itself: only what the page loads is served. */
function swaggerFiles(): RequestHandler {
  const files = ['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png'];
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const serve = express.static(folder, { maxAge: assetsKeptFor, index: false, redirect: false });
  return (request, response, next) => {
    if (files.includes(request.path)) serve(request, response, next);
    else next();
  };
}

/** As strict as everywhere, but for what Swagger UI needs: small pictures that its style sheet carries within itself. */
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
