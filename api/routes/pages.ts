import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { LoopbackAuth } from '../auth/loopback-auth.js';
import type { ReadRecordHead } from '../context.js';
import { ownAddress } from '../http/addresses.js';
import { sharedFiles } from '../http/cache-control.js';
import { Problem } from '../http/problem.js';
import { setUsualRetryAfter } from '../http/retry-after.js';
import type { PageRenderer } from '../pages/page-renderer.js';

/**
 * The web page: its files, and a document for every other path. A client that prefers JSON gets a problem
 * document for a path that does not exist. A browser with a cookie may be signed in: no cache keeps its pages, although
 * the server renders nothing private today.
 */
export function pagesRouter(
  pages: PageRenderer,
  loopbackAuth: LoopbackAuth,
  recordHead: ReadRecordHead,
): Router {
  return Router()
    .use(compression())
    .use(
      '/assets',
      refuseSourceMaps,
      express.static(pages.assets, { ...sharedFiles(assetsCacheControl), index: false, redirect: false }),
    )
    .get('/{*path}', page(pages, loopbackAuth, recordHead));
}

/** They are built for the operator, and are as large as all scripts together. */
const refuseSourceMaps: RequestHandler = (request, _response, next) => {
  if (request.path.endsWith('.map')) throw new Problem('not_found', 'There is nothing at this path.');
  next();
};

/** Their names contain a hash of their content. */
const assetsCacheControl = 'public, max-age=31536000, immutable';

/** Nor what a browser would take for the name of another host, such as `//x`. */
const notDocuments = /^\/(?:[/\\]|(?:api|mcp|assets|docs)(?:\/|$))/;

function page(pages: PageRenderer, loopbackAuth: LoopbackAuth, recordHead: ReadRecordHead): RequestHandler {
  return async (request, response, next) => {
    response.vary('Accept').vary('Cookie');
    if (notDocuments.test(request.path) || request.accepts(['html', 'json']) !== 'html') {
      next();
      return;
    }
    const { status, html } = await pages.render(
      request.originalUrl,
      ownAddress(request),
      loopbackAuth.headersFor(request),
      await recordHead(),
    );
    // For a program that accepts anything, the problem document is more useful than the page.
    if (status === 404 && request.accepts(['json', 'html']) === 'json') next();
    else {
      if (request.get('cookie') === undefined) response.set('Cache-Control', 'no-cache');
      setUsualRetryAfter(response.status(status));
      response.type('html').send(html);
    }
  };
}
