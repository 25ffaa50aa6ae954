import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const documents = readdirSync('.', { recursive: true, encoding: 'utf8' }).filter(
  path => path.endsWith('.md') && !/(^|\/)(node_modules|dist|coverage|\.)/.test(path),
);

const manifest: { scripts: Record<string, string>; dependencies: object; devDependencies: object } =
  JSON.parse(readFileSync('package.json', 'utf8'));

/** Links to files that do not exist. */
function deadLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    .map(([, target]) => target ?? '')
    .filter(target => !existsSync(join(dirname(path), target)));
}

/** `npm run` commands of a document that do not exist. */
function unknownCommands(text: string): string[] {
  return [...text.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)]
    .map(([, script]) => script ?? '')
    .filter(script => !(script in manifest.scripts));
}

/** Rows of tables whose last column is `held by`, and which name no test there. That the test exists, `deadLinks` checks. */
function promisesWithoutTest(text: string): string[] {
  const tables = text.split('\n\n').filter(block => /^\|.*\| held by \|$/m.test(block.split('\n')[0] ?? ''));
  const rows = tables.flatMap(table => table.trimEnd().split('\n').slice(2));
  if (rows.length === 0) return ['no promise at all'];
  return rows.filter(row => !/\]\(test\/[\w/.-]+\.test\.ts\)[^|]*\|$/.test(row));
}

describe('the documents', () => {
  test.each(documents)('%s has no dead link and no unknown command', path => {
    const text = readFileSync(path, 'utf8');
    expect(deadLinks(path, text)).toEqual([]);
    expect(unknownCommands(text)).toEqual([]);
  });

  test('a dead link and an unknown command would be found', () => {
    expect(deadLinks('README.md', 'see [this](docs/nowhere.md)')).toEqual(['docs/nowhere.md']);
    expect(unknownCommands('run `npm run nothing` first')).toEqual(['nothing']);
  });

  test('make no promise of security without the test that holds it', () => {
    expect(promisesWithoutTest(readFileSync('SECURITY.md', 'utf8'))).toEqual([]);
    expect(promisesWithoutTest('| promise | held by |\n| --- | --- |\n| It is safe. | |\n')).toEqual([
      '| It is safe. | |',
    ]);
  });

  test('name every dependency with its reason', () => {
    const architecture = readFileSync('ARCHITECTURE.md', 'utf8');
    const named = Object.keys(manifest.dependencies).filter(name => {
      const scope = name.startsWith('@temporalio/') ? name.slice('@temporalio/'.length) : name;
      return !architecture.includes(scope);
    });
    expect(named).toEqual([]);
  });
});
