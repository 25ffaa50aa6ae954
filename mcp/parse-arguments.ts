import { z } from 'zod';
import { ToolProblem } from './tool-problem.js';

const argumentsShape = z.record(z.string(), z.unknown());

/**
 * The arguments of a call, by the tool's own schema. Null stands for an argument that is not given, because some clients
 * send every parameter.
 * @throws ToolProblem `invalid_request` that names each argument that is wrong
 */
export function parseArguments<Input extends z.ZodObject>(input: Input, asked: unknown): z.output<Input> {
  const given = Object.entries(argumentsShape.parse(asked)).filter(([, value]) => value !== null);
  const parsed = input.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const isGiven = (parameter: string) => given.some(([name]) => parameter.split('.')[0] === name);
  const errors = parsed.error.issues.flatMap(issue =>
    namesIn(issue).map(parameter => ({
      parameter,
      detail: isGiven(parameter) ? issue.message : 'is needed',
    })),
  );
  const detail = errors.map(each => `${each.parameter}: ${each.detail}`).join('; ');
  throw new ToolProblem('invalid_request', `The arguments are not valid. ${detail}`, { errors });
}

/** An argument that the tool does not know is wrong by its name. */
function namesIn(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
}
