import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { projectFiles } from '../../platform/settings/project-files.js';
import { readSteps } from './runbook.js';
import { serverVersion } from './servers/programs.js';

const read = (...path: string[]) => readFileSync(join(projectFiles.root, ...path), 'utf8');

describe('the steps of deploy/README.md', () => {
  const document = read('deploy', 'README.md');
  const steps = readSteps(document);

  test('every marked step is read', () => {
    expect([...steps.keys()]).toHaveLength([...document.matchAll(/<!-- step: /g)].length);
    expect(steps.size).toBeGreaterThan(0);
  });

  test('a step in a list is read without its indentation', () => {
    expect(steps.get('make-current')).toMatch(/^until temporal .*\ndo sleep 5; done$/m);
  });

  test('the cluster and the compose file run the same version of Temporal', () => {
    const [, image] = /temporalio\/auto-setup:([\d.]+)@/.exec(read('deploy', 'compose.yaml')) ?? [];
    expect(serverVersion(steps.get('programs') ?? '')).toBe(image);
  });

  test('two steps of one name are refused', () => {
    const step = '<!-- step: twice -->\n```sh\ntrue\n```\n';
    expect(() => readSteps(step + step)).toThrow('two steps have the name twice');
  });
});
