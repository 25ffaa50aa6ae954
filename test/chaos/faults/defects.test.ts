import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { defects, insertDefect } from './defects.js';

test.each(defects)('the planted defect $name finds its place in $module', defect => {
  const source = readFileSync(`${defect.module}.ts`, 'utf8');
  expect(insertDefect(defect, source)).toContain(defect.broken);
  expect(() => insertDefect(defect, source.replace(defect.correct, 'renamed'))).toThrow(defect.name);
});
