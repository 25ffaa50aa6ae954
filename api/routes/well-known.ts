import { Router } from 'express';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** An operator who changes the contact waits a day at most. */
const cacheControl = 'public, max-age=86400';
/** Counted from each request, so that a service that runs for long never serves a file that has expired. */
const validForDays = 180;
const dayMs = 24 * 3_600_000;

/** What is of no use to a search engine: answers for programs, and pages that show a visitor only their own. */
const notIndexed = ['/api/', '/mcp', '/account', '/keys', '/webhooks', '/reports', '/batches', '/sign-in'];

/** Files that programs look for at fixed paths: whom to tell about a vulnerability (RFC 9116), and what not to index. */
export function wellKnownRouter({ publicUrl, securityContact, now }: ApiContext): Router {
  return Router()
    .get('/.well-known/security.txt', (_request, response) => {
      if (securityContact === null) throw new Problem('not_found', 'This service names no contact.');
      const expires = new Date(now().getTime() + validForDays * dayMs);
      const lines = [
        `Contact: mailto:${securityContact}`,
        `Expires: ${expires.toISOString()}`,
        'Preferred-Languages: en',
        `Canonical: ${publicUrl}/.well-known/security.txt`,
      ];
      response
        .set('Cache-Control', cacheControl)
        .type('text/plain')
        .send(`${lines.join('\n')}\n`);
    })
    .get('/robots.txt', (_request, response) => {
      const lines = ['User-agent: *', ...notIndexed.map(path => `Disallow: ${path}`)];
      response
        .set('Cache-Control', cacheControl)
        .type('text/plain')
        .send(`${lines.join('\n')}\n`);
    });
}

/** The address in a sender such as `Council <council@example.com>`; null without one. */
export function addressOf(sender: string | undefined): string | null {
  return (
    /^[^<>]*<([^<>\s]+@[^<>\s]+)>$|^([^<>\s]+@[^<>\s]+)$/
      .exec(sender ?? '')
      ?.slice(1)
      .find(Boolean) ?? null
  );
}
