import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Files that ship with the service beside its code, wherever the code was compiled to. */
const root = projectRoot(dirname(fileURLToPath(import.meta.url)));

export const projectFiles = {
  root,
  temporalManifest: join(root, 'temporal.yaml'),
  modelCatalogue: join(root, 'providers', 'models.yaml'),
  workflowBundle: join(root, 'dist', 'workflow-bundle.cjs'),
  /** The web page as it was built: what renders it, and what a browser loads. */
  pageRenderer: join(root, 'dist', 'web', 'server.js'),
  pageFiles: join(root, 'dist', 'web-client'),
} as const;

function projectRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the service does not find its own package.json');
  return projectRoot(parent);
}

const packageShape = z.object({ version: z.string(), engines: z.object({ node: z.string() }) });

/** Facts about the project from its package.json. */
export function packageFacts(): { version: string; nodeRange: string } {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const { version, engines } = packageShape.parse(JSON.parse(text));
  return { version, nodeRange: engines.node };
}
