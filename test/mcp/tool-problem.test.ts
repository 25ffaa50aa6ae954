import { describe, expect, test } from '@jest/globals';
import { problems } from '../../contract/problems.js';
import { ToolProblem, toolProblemCodes, toolProblemShape } from '../../mcp/tools/tool-problem.js';

describe('an error', () => {
  test.each(toolProblemCodes)('%s has a next step in a full sentence', code => {
    const document = new ToolProblem(code, 'It did not work.').toDocument();
    expect(toolProblemShape.parse(document)).toEqual(document);
    expect(document.next_step).toMatch(/^[A-Z].{20,}\.$/s);
    expect(document.next_step).not.toMatch(/undefined|NaN/);
  });

  test('can have every code of the API and a few others', () => {
    expect(toolProblemCodes).toEqual(expect.arrayContaining(Object.keys(problems)));
    expect(new Set(toolProblemCodes).size).toBe(toolProblemCodes.length);
  });
});
