import { z } from 'zod';

const problemShape = z
  .object({ code: z.string(), title: z.string(), detail: z.string(), request_id: z.string().optional() })
  .loose();

/** A problem document of the API, as an error. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** Of the API that said it. */
  readonly origin: string;
  readonly retryAfterSeconds: number | null;

  private constructor(document: z.infer<typeof problemShape>, response: Response) {
    super(`${document.title} (${document.code}). ${document.detail}${requestOf(document)}`);
    this.name = 'ApiProblem';
    this.code = document.code;
    this.document = document;
    this.origin = new URL(response.url).origin;
    const retryAfter = response.headers.get('retry-after') ?? '';
    this.retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }

  static async read(response: Response): Promise<Error> {
    const parsed = problemShape.safeParse(await response.json().catch(() => null));
    return parsed.success
      ? new ApiProblem(parsed.data, response)
      : new Error(`${new URL(response.url).host} answered ${response.status}, and not as this service does.`);
  }
}

/** Only where somebody will have to look for it in a log. */
function requestOf({ code, request_id: id }: z.infer<typeof problemShape>): string {
  return code === 'internal' && id !== undefined ? ` Request ${id}.` : '';
}
