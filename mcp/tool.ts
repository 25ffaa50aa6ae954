import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { ReportView } from '../contract/reports.js';
import type { ApiClient } from './api-client.js';
import { parseArguments } from './parse-arguments.js';

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
