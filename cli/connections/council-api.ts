import { CouncilReports } from '../../client/council-reports.js';
import { Transport } from '../../client/transport.js';
import { schemaParsers } from '../../contract/callers/answer-parsers.js';

/** The public API for the command line. */
export class CouncilApi extends CouncilReports {
  /** @param credential an API key or a session token */
  constructor(url: string, credential: string) {
    // A person who waits for a command rather reads why it failed.
    super({ baseUrl: url, apiKey: credential, parsers: schemaParsers, retryWithinSeconds: 0 });
  }

  /** Creates an account and signs it in: the cookie of the sign-up buys a session token. */
  static async signUp(
    url: string,
    person: { email: string; password: string; name: string },
  ): Promise<CouncilApi> {
    const http = new Transport({ baseUrl: url, parsers: schemaParsers });
    const signedUp = await http.send('POST /api/auth/sign-up/email', { body: person });
    const cookie = signedUp.headers
      .getSetCookie()
      .map(item => item.split(';')[0])
      .join('; ');
    const { token } = await http.request('GET /api/auth/token', { headers: { cookie } });
    return new CouncilApi(url, token);
  }

  /** The web page of a report, or the start page. */
  browserUrl(reportId?: number): string {
    return reportId === undefined ? this.baseUrl : `${this.baseUrl}/reports/${reportId}`;
  }
}
