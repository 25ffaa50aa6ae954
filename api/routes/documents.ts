import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { projectFiles } from '../../platform/settings/project-files.js';
import { callerDocuments } from '../documents/caller-documents.js';
import { llmsTxt } from '../documents/llms-txt.js';
import { servedText } from '../documents/served-text.js';
import { sendPrebuilt } from '../http/prebuilt.js';

const cacheControl = 'public, max-age=300';

/** `/llms.txt`, and below `/docs/` what it lists: the documents of the repository for callers, as Markdown. */
export function documentsRouter(publicUrl: string): Router {
  const text = (type: string, content: string) => sendPrebuilt({ type, cacheControl, content });
  const sendDocument = new Map(
    callerDocuments.map(({ file, servedAs }) => {
      const content = servedText(file, readFileSync(join(projectFiles.root, file), 'utf8'), publicUrl);
      return [`/docs/${servedAs}`, text(file.endsWith('.md') ? 'text/markdown' : 'text/plain', content)];
    }),
  );
  return Router()
    .get('/llms.txt', text('text/plain', llmsTxt(publicUrl)))
    .get('/docs/{*document}', (request, response, next) => {
      const send = sendDocument.get(request.path);
      return send === undefined ? next() : send(request, response, next);
    });
}
