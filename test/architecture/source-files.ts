import { readdirSync, readFileSync } from 'node:fs';

/** A file of the project, by its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Folders at the root that hold no code of the service or its tools. */
const otherFolders = /^(\.|node_modules$|dist$|coverage$|test$|tools$|examples$|docs$|deploy$|skill$)/;

/** The rooms: every folder at the root that is compiled into the service. Tests and tools follow fewer rules. */
export const serviceFolders = readdirSync('.', { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !otherFolders.test(entry.name))
  .map(entry => entry.name);

/** The TypeScript files of these folders. */
export function sourcesIn(folders: readonly string[]): SourceFile[] {
  return folders.flatMap(folder => filesIn(folder, /\.(tsx?|mjs)$/));
}

/** The documents of the project: Markdown in the root folder and in `folders`. */
export function documentsIn(folders: readonly string[]): SourceFile[] {
  const atRoot = readdirSync('.').filter(name => name.endsWith('.md'));
  return [
    ...atRoot.map(path => ({ path, text: readFileSync(path, 'utf8') })),
    ...folders.flatMap(folder => filesIn(folder, /\.md$/)),
  ];
}

function filesIn(folder: string, name: RegExp): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(each => name.test(each) && !each.startsWith('dist/'))
    .map(each => ({ path: `${folder}/${each}`, text: readFileSync(`${folder}/${each}`, 'utf8') }));
}
