import { z } from 'zod';

const text = z
  .string()
  .optional()
  .transform(value => value?.trim() || undefined);

const variables = z.object({
  COUNCIL_API_KEY: text.pipe(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'has characters that API keys do not have')
      .optional(),
  ),
  COUNCIL_BASE_URL: text.pipe(
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .default('http://127.0.0.1:3000'),
  ),
});

export interface McpSettings {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
}

/** @throws Error that names every invalid variable, but never its value */
export function readMcpSettings(env: Readonly<Record<string, string | undefined>>): McpSettings {
  const parsed = variables.safeParse(env);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is not valid:\n${lines.join('\n')}`);
  }
  return { apiKey: parsed.data.COUNCIL_API_KEY, baseUrl: parsed.data.COUNCIL_BASE_URL };
}
