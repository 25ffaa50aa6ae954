import { z } from 'zod';

const problemShape = z.object({ code: z.string(), title: z.string(), detail: z.string() }).loose();

/** A problem document of the API, as an error. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly document: Readonly<Record<string, unknown>>;

  private constructor(document: z.infer<typeof problemShape>) {
    super(`${document.title} (${document.code}). ${document.detail}`);
    this.name = 'ApiProblem';
    this.code = document.code;
    this.document = document;
  }

  static async read(response: Response): Promise<Error> {
    const parsed = problemShape.safeParse(await response.json().catch(() => null));
    return parsed.success
      ? new ApiProblem(parsed.data)
      : new Error(`The service answered ${response.status}.`);
  }
}
