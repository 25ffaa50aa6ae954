import { cp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { callerDocuments } from '../../../api/documents/caller-documents.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import type { TemporalManifest } from '../../../platform/temporal/manifest.js';

/** A change of the copy's `temporal.yaml`. */
export type ManifestChange = (manifest: TemporalManifest) => TemporalManifest;

/**
 * Copies the compiled service into a new folder, as on another machine: with its own `temporal.yaml`, and
 * unaffected by a build that runs meanwhile (a restarted worker must find the same workflows).
 * @returns the folder with the compiled modules
 */
export async function deployCopy(folder: string, change: ManifestChange = kept => kept): Promise<string> {
  const { root } = projectFiles;
  for (const path of [
    'dist',
    'package.json',
    join('providers', 'models.yaml'),
    join('markets', 'pairs.yaml'),
    join('contract', 'examples'),
    ...callerDocuments.map(({ file }) => file),
  ]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
  const manifest: TemporalManifest = parse(await readFile(projectFiles.temporalManifest, 'utf8'));
  await writeFile(join(folder, 'temporal.yaml'), stringify(change(manifest)));
  return join(folder, 'dist');
}
