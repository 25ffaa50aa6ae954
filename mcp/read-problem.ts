import { problemShape } from '../contract/problems.js';
import { ToolProblem } from './tool-problem.js';

/** An answer outside 2xx, as the problem that a tool answers with. */
export async function readProblem(response: Response): Promise<ToolProblem> {
  const parsed = problemShape.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return new ToolProblem('unexpected_answer', `The service answered ${response.status}, and not why.`);
  }
  const { type: _type, title: _title, status: _status, code, detail, ...data } = parsed.data;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ToolProblem(code, detail, {
    ...data,
    ...(Number.isInteger(seconds) ? { retry_after_seconds: seconds } : {}),
  });
}
