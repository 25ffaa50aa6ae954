import { Router } from 'express';
import { packageFacts } from '../../platform/settings/project-files.js';
import { sendPrebuilt } from '../http/prebuilt.js';
import { createOpenApi } from '../openapi/document.js';
import type { PageRenderer } from '../pages/page-renderer.js';

/**
 * `/docs`: the API reference, rendered once from the OpenAPI document. Its addresses stay, its files have names of their
 * content: a cache asks whether the page has changed.
 */
export function docsRouter(pages: PageRenderer, publicUrl: string): Router {
  const content = pages.renderReference(createOpenApi(packageFacts().version), publicUrl);
  return Router().get('/docs', sendPrebuilt({ type: 'html', cacheControl: 'public, no-cache', content }));
}
