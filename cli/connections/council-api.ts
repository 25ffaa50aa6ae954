import { z } from 'zod';
import { Failure } from '../terminal/failure.js';
import { eventShape, receiptShape, reportShape } from './api-shapes.js';

const keyShape = z.object({ key: z.string() });
const tokenShape = z.object({ token: z.string() });
const checkShape = z.object({
  has_cached_report: z.boolean(),
  already_purchased: z.boolean(),
  report_id: z.number().optional(),
  cost_credits: z.number(),
});
const eventsShape = z.object({ events: z.array(eventShape) });

/** The public API, as any client sees it. Answers outside 2xx are thrown as `ApiProblem`. */
export class CouncilApi {
  private readonly url: string;
  private readonly credential: string | null;

  /** @param credential an API key or a session token. */
  constructor(url: string, credential: string | null) {
    this.url = url.replace(/\/$/, '');
    this.credential = credential;
  }

  static async signUp(
    url: string,
    person: { email: string; password: string; name: string },
  ): Promise<CouncilApi> {
    const anonymous = new CouncilApi(url, null);
    const signedUp = await anonymous.send('POST', '/api/auth/sign-up/email', person);
    const cookie = signedUp.headers
      .getSetCookie()
      .map(item => item.split(';')[0])
      .join('; ');
    const answer = await anonymous.send('GET', '/api/auth/token', undefined, { cookie });
    return new CouncilApi(url, tokenShape.parse(await answer.json()).token);
  }

  async mintKey(name: string): Promise<string> {
    return keyShape.parse(await this.json('POST', '/api/keys', { name })).key;
  }

  async searchEvents(search: string, perPage: number) {
    const query = new URLSearchParams({ search, per_page: String(perPage) });
    return eventsShape.parse(await this.json('GET', `/api/events?${query.toString()}`)).events;
  }

  /** Null when there is no such event. */
  async findEvent(eventId: string) {
    try {
      return eventShape.parse(await this.json('GET', `/api/events/${encodeURIComponent(eventId)}`));
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'event_not_found') return null;
      throw error;
    }
  }

  async checkReport(eventId: string) {
    return checkShape.parse(await this.json('GET', `/api/reports/check/${encodeURIComponent(eventId)}`));
  }

  async buyReport(eventId: string, { quotedCredits }: { quotedCredits?: number }) {
    const quote = quotedCredits === undefined ? {} : { quoted_credits: quotedCredits };
    return receiptShape.parse(await this.json('POST', '/api/reports', { event_id: eventId, ...quote }));
  }

  /** @param waitSeconds how long the answer may be held back until something has changed. */
  async readReport(id: number, waitSeconds: number) {
    const answer = await this.send('GET', `/api/reports/${id}`, undefined, { prefer: `wait=${waitSeconds}` });
    return reportShape.parse(await answer.json());
  }

  /** Where a person reads a report, or begins. */
  browserUrl(reportId?: number): string {
    return reportId === undefined ? this.url : `${this.url}/reports/${reportId}`;
  }

  private async json(method: string, path: string, body?: object): Promise<unknown> {
    return (await this.send(method, path, body)).json();
  }

  private async send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.credential === null ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Failure(`The service cannot be reached at ${this.url}.`, {
        next: 'Start it (`npm start`), or set COUNCIL_BASE_URL to where it is.',
        cause,
      });
    });
    if (!response.ok) throw await ApiProblem.read(response);
    return response;
  }
}

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
