import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { LoopbackAuth } from '../auth/loopback-auth.js';
import { ownAddress } from '../http/addresses.js';
import type { PageRenderer } from '../pages/page-renderer.js';

/**
 * The web page: its files, and a document for every other path. A client that prefers JSON gets a problem
 * document for a path that does not exist.
 */
export function pagesRouter(pages: PageRenderer, loopbackAuth: LoopbackAuth): Router {
  return Router()
    .use(compression())
    .use(
      '/assets',
      express.static(pages.assets, { immutable: true, maxAge: '365d', index: false, redirect: false }),
    )
    .get('/{*path}', page(pages, loopbackAuth));
}

const notDocuments = /^\/(api|mcp|assets|docs)(\/|$)/;

function page(pages: PageRenderer, loopbackAuth: LoopbackAuth): RequestHandler {
  return async (request, response, next) => {
    response.vary('Accept');
    if (notDocuments.test(request.path) || request.accepts(['html', 'json']) !== 'html') {
      next();
      return;
    }
    const { status, html } = await pages.render(
      request.originalUrl,
      ownAddress(request),
      loopbackAuth.headersFor(request),
    );
    // For a program that accepts anything, the problem document is more useful than the page.
    if (status === 404 && request.accepts(['json', 'html']) === 'json') next();
    else response.status(status).set('Cache-Control', 'no-cache').type('html').send(html);
  };
}
