import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { LoopbackAuth } from '../auth/loopback-auth.js';
import { ownAddress } from '../http/addresses.js';
import type { PageRenderer } from '../pages/page-renderer.js';

/**
 * The web page: its files, and every path that a browser asks for as a document. Whoever asks for JSON at a path that does
 * not exist gets the problem that tells them so.
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
    // A program that takes anything is better served with the problem than with a page that says the same.
    if (status === 404 && request.accepts(['json', 'html']) === 'json') next();
    else response.status(status).set('Cache-Control', 'no-cache').type('html').send(html);
  };
}
