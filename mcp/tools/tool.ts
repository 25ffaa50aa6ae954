import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ReportView } from '../../contract/reports.js';
import type { ApiClient } from '../api-client.js';
import { ToolProblem } from './tool-problem.js';

/** One call of a tool, as the tool sees it. */
export interface Call {
  readonly api: ApiClient;
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Tells a client that wants to know how far a run has come. */
  readonly tellProgress: (report: ReportView) => Promise<void>;
}

interface ToolPlan<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  readonly input: Input;
  readonly output: Output;
  /** @throws ToolProblem */
  readonly run: (asked: z.output<Input>, call: Call) => Promise<z.input<Output>>;
  /** The same answer in words: many clients show their model nothing else. */
  readonly tell: (answer: z.output<Output>) => string;
}

/** A tool whatever it takes and answers. */
export interface Tool
  extends Pick<
    ToolPlan<z.ZodObject, z.ZodObject>,
    'name' | 'title' | 'description' | 'annotations' | 'input' | 'output'
  > {
  readonly answer: (
    asked: unknown,
    call: Call,
  ) => Promise<{ readonly content: Record<string, unknown>; readonly text: string }>;
}

/** The answer holds what the output schema names and nothing else. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  plan: ToolPlan<Input, Output>,
): Tool {
  const { name, title, description, annotations, input, output } = plan;
  return {
    name,
    title,
    description,
    annotations,
    input,
    output,
    answer: async (asked, call) => {
      const content = output.parse(await plan.run(parseArguments(input, asked), call));
      return { content, text: plan.tell(content) };
    },
  };
}

const argumentsShape = z.record(z.string(), z.unknown());

/**
 * The arguments of a call, by the tool's own schema. Null stands for an argument that is not given, because some clients
 * send every parameter.
 * @throws ToolProblem `invalid_request` that names each argument that is wrong
 */
function parseArguments<Input extends z.ZodObject>(input: Input, asked: unknown): z.output<Input> {
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
