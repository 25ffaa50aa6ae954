import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { projectFiles } from '../../../config/project-files.js';
import type { TemporalManifest } from '../../../config/temporal/manifest.js';

/** A change of the copy's `temporal.yaml`, by the name of the section. */
export type ManifestChange = (manifest: TemporalManifest) => TemporalManifest;

/**
 * Copies the compiled service into a folder of its own, as it would lie on another machine: with a `temporal.yaml` of its own,
 * and safe from a build that is made while it runs (a worker that is started again must not find other workflows).
 * @returns the folder with the compiled modules
 */
export async function deployCopy(folder: string, change: ManifestChange = kept => kept): Promise<string> {
  const { root } = projectFiles;
  await mkdir(join(folder, 'providers'), { recursive: true });
  for (const path of ['dist', 'package.json', join('providers', 'models.yaml')]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
  const manifest: TemporalManifest = parse(await readFile(projectFiles.temporalManifest, 'utf8'));
  await writeFile(join(folder, 'temporal.yaml'), stringify(change(manifest)));
  return join(folder, 'dist');
}
