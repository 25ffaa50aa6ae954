import { describe, expect, test } from '@jest/globals';
import { cyclesIn, importGraph, importsOf, reachableFrom } from './import-graph.js';
import {
  backwardImports,
  crowdedFolders,
  dialectIn,
  filesInFolderMax,
  repeatedNames,
} from './shape-rules.js';
import { documentsIn, type SourceFile, serviceFolders, sourcesIn } from './source-files.js';

const service = sourcesIn(serviceFolders);
const everything = [...service, ...sourcesIn(['tools', 'examples', 'test'])];
const documents = documentsIn(['docs', 'deploy', 'skill', 'tools', 'test', ...serviceFolders]);
// These files name the words that others must not use.
const prose = [...everything, ...documents].filter(({ path }) => !path.startsWith('test/architecture/'));

const source = (path: string, text = ''): SourceFile => ({ path, text });

describe('imports', () => {
  const cycles = (files: readonly SourceFile[]) => cyclesIn(importGraph(files, { types: true }));

  test('form no cycle, imports of types included', () => {
    expect(cycles(everything)).toEqual([]);
  });

  test('a cycle would be found, also through types and through a third file', () => {
    const planted = [
      source('db/a.ts', "import { b } from './b.js';"),
      source('db/b.ts', "export type { C } from '../api/c.js';"),
      source('api/c.ts', "import { type A } from '../db/a.js';"),
      source('api/d.ts', "import { c } from './c.js';"),
    ];
    expect(cycles(planted)).toEqual([['api/c.ts', 'db/a.ts', 'db/b.ts']]);
  });

  test('lead from one room of the council to another in one direction only', () => {
    expect(backwardImports(service)).toEqual([]);
  });

  test.each([
    ['council/market/x.ts', '../conclusion/bets.js'],
    ['council/prompts/x.ts', '../answers/parse-opinion.js'],
    ['council/x.ts', './market/fees.js'],
    ['council/attic/x.ts', './y.js'],
  ])('%s importing %s would be found', (path, from) => {
    expect(backwardImports([source(path, `import { x } from '${from}';`)])).toHaveLength(1);
  });
});

describe('the workflow bundle', () => {
  const zodIn = (files: readonly SourceFile[]) => {
    const loaded = reachableFrom(importGraph(files, { types: false }), 'workflows/index.ts');
    return files
      .filter(({ path }) => loaded.has(path))
      .filter(file => importsOf(file).some(({ from, typeOnly }) => from === 'zod' && !typeOnly))
      .map(({ path }) => path);
  };

  test('contains no zod: validation happens before a workflow and in activities', () => {
    expect(zodIn(service)).toEqual([]);
  });

  test('zod would be found behind other modules, and is allowed behind a type', () => {
    const planted = [
      source('workflows/index.ts', "export { a } from './a.js';"),
      source(
        'workflows/a.ts',
        "import { b } from '../council/b.js';\nimport type { C } from '../council/c.js';",
      ),
      source('council/b.ts', "import { z } from 'zod';"),
      source('council/c.ts', "import { z } from 'zod';"),
    ];
    expect(zodIn(planted)).toEqual(['council/b.ts']);
  });
});

describe('files', () => {
  test('have names that are used at most twice', () => {
    expect(repeatedNames(service)).toEqual([]);
  });

  test('a name that is used three times would be found, unless it names one noun in several layers', () => {
    const planted = ['db', 'api', 'cli'].map(folder => source(`${folder}/helpers.ts`));
    expect(repeatedNames(planted)).toHaveLength(1);
    expect(repeatedNames(['db', 'api', 'cli'].map(folder => source(`${folder}/reports.ts`)))).toEqual([]);
  });

  test('are few enough in a folder to be read as a list', () => {
    expect(crowdedFolders(everything)).toEqual([]);
    const planted = Array.from({ length: filesInFolderMax + 1 }, (_, n) => source(`db/file-${n}.ts`));
    expect(crowdedFolders(planted)).toEqual([`db: ${filesInFolderMax + 1} files`]);
  });
});

describe('the language', () => {
  test('is plain technical English', () => {
    expect(dialectIn(prose)).toEqual([]);
  });

  test.each(['Whoever asks', 'kept for ever', 'a caller is told', 'the wish', 'anew', 'who comes later'])(
    '"%s" would be found',
    text => {
      expect(dialectIn([source('README.md', text)])).toHaveLength(1);
    },
  );
});
