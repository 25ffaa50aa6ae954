import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const root = projectRoot(dirname(fileURLToPath(import.meta.url)));

/** Files that are part of the service, by their path from wherever this code was compiled to. */
export const projectFiles = {
  root,
  temporalManifest: join(root, 'temporal.yaml'),
  modelCatalogue: join(root, 'providers', 'models.yaml'),
  marketPairs: join(root, 'markets', 'pairs.yaml'),
  /** The bodies of the API reference's examples. */
  answerExamples: join(root, 'contract', 'examples'),
  workflowBundle: join(root, 'dist', 'workflow-bundle.cjs'),
  /** The built web page: its server-side renderer, and the files for browsers. */
  pageRenderer: join(root, 'dist', 'web', 'server.js'),
  pageFiles: join(root, 'dist', 'web-client'),
} as const;

function projectRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json was not found in any parent folder');
  return projectRoot(parent);
}

const packageShape = z.object({ version: z.string(), engines: z.object({ node: z.string() }) });

/** The version and the required Node.js versions from package.json. */
export function packageFacts(): { version: string; nodeRange: string } {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const { version, engines } = packageShape.parse(JSON.parse(text));
  return { version, nodeRange: engines.node };
}
