import { readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps, and formatters and branch switches change many files at once. */
const quietMs = 60;

/**
 * Calls back with the files that changed in these folders, once they have been quiet for a moment. Watches
 * each folder and not its files, because editors replace a file by another one of that name.
 */
export function watchFolders(
  root: string,
  folders: readonly string[],
  onChange: (paths: ReadonlySet<string>) => void,
  { recursive = true }: { readonly recursive?: boolean } = {},
): void {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const note = (path: string) => {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = changed;
      changed = new Set();
      onChange(paths);
    }, quietMs);
  };

  const watchFolder = (folder: string) => {
    watch(join(root, folder), (_event, name) => {
      if (name === null) return;
      const path = join(folder, name);
      if (!isFolder(join(root, path))) note(path);
      else if (recursive) watchTree(path, note);
    }).on('error', () => undefined);
  };

  const watched = new Set<string>();
  const watchTree = (folder: string, onFile: (path: string) => void) => {
    if (watched.has(folder)) return;
    watched.add(folder);
    watchFolder(folder);
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (!entry.isDirectory()) onFile(join(folder, entry.name));
      else if (recursive) watchTree(join(folder, entry.name), onFile);
    }
  };

  for (const folder of folders) watchTree(folder, () => undefined);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
