import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFiles } from '../config/project-files.js';

const packageShape = z.object({ version: z.string(), engines: z.object({ node: z.string() }) });

/** What the project says of itself in package.json. */
export function packageFacts(): { version: string; nodeRange: string } {
  const text = readFileSync(join(projectFiles.root, 'package.json'), 'utf8');
  const { version, engines } = packageShape.parse(JSON.parse(text));
  return { version, nodeRange: engines.node };
}
