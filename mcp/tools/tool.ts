import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Call } from './call.js';
import { ToolProblem } from './tool-problem.js';

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  readonly input: Input;
  readonly output: Output;
  /** @throws ToolProblem or CouncilProblem */
  readonly run: (input: z.output<Input>, call: Call) => Promise<z.input<Output>>;
  /** The result as text: many clients show their model nothing else. */
  readonly describe: (result: z.output<Output>) => string;
}

/** A tool, independent of its input and output types. */
export interface Tool
  extends Pick<
    ToolDefinition<z.ZodObject, z.ZodObject>,
    'name' | 'title' | 'description' | 'annotations' | 'input' | 'output'
  > {
  readonly handle: (
    input: unknown,
    call: Call,
  ) => Promise<{ readonly content: Record<string, unknown>; readonly text: string }>;
}

/** The result holds the fields of the output schema only. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { run, describe, ...tool } = definition;
  return {
    ...tool,
    handle: async (input, call) => {
      const content = tool.output.parse(await run(parseArguments(tool.input, input), call));
      return { content, text: describe(content) };
    },
  };
}

const argumentsShape = z.record(z.string(), z.unknown());

/**
 * Parses the arguments of a call by the tool's schema. Null counts as missing, because some clients send
 * every parameter.
 * @throws ToolProblem `invalid_request` that names each invalid argument
 */
function parseArguments<Input extends z.ZodObject>(schema: Input, input: unknown): z.output<Input> {
  const given = Object.entries(argumentsShape.parse(input)).filter(([, value]) => value !== null);
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const isGiven = (parameter: string) => given.some(([name]) => parameter.split('.')[0] === name);
  const errors = parsed.error.issues.flatMap(issue =>
    parameterNames(issue).map(parameter => ({
      parameter,
      detail: isGiven(parameter) ? issue.message : 'is required',
    })),
  );
  const detail = errors.map(each => `${each.parameter}: ${each.detail}`).join('; ');
  throw new ToolProblem('invalid_request', `The arguments are not valid. ${detail}`, { errors });
}

/** An unknown argument is reported under its own name. */
function parameterNames(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
}
