import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFiles } from '../../config/project-files.js';

const manifestShape = z.object({ version: z.string() });

/** The version of what is running, as its package says it. */
export function packageVersion(): string {
  const text = readFileSync(join(projectFiles.root, 'package.json'), 'utf8');
  return manifestShape.parse(JSON.parse(text)).version;
}
