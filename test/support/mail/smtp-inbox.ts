import { SMTPServer } from 'smtp-server';
import { listen } from '../listen.js';
import { until } from '../until.js';

/** A mail as the server received it. */
export interface ReceivedMail {
  /** The recipients of the envelope. */
  readonly to: readonly string[];
  readonly from: string;
  /** Every header line, in lower case. */
  readonly headers: readonly string[];
  readonly subject: string;
  /** The text, decoded. */
  readonly text: string;
  readonly html: string;
  /** The one address in the text. */
  readonly link: string;
}

/** A mail server on this machine that keeps what it receives. */
export interface SmtpInbox {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Waits for the next mail to the address after the ones that this function has returned. */
  next(to: string): Promise<ReceivedMail>;
  /** The next mails are answered with this code and not kept. Null: accepted. */
  refuseWith(code: number | null): void;
  /** How many mails were refused. */
  readonly refused: number;
  close(): Promise<void>;
}

export async function startSmtpInbox(): Promise<SmtpInbox> {
  const mails: ReceivedMail[] = [];
  const taken = new Set<ReceivedMail>();
  let refusal: number | null = null;
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, callback) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        if (refusal !== null) {
          refused += 1;
          callback(Object.assign(new Error('refused'), { responseCode: refusal }));
          return;
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const { mailFrom } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push(received(Buffer.concat(pieces).toString(), to, from));
        callback();
      });
    },
  });
  const port = await listen(server.server);
  const newest = (to: string) => mails.find(mail => mail.to.includes(to) && !taken.has(mail));
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get refused() {
      return refused;
    },
    next: async to => {
      await until(`a mail to ${to}`, () => newest(to) !== undefined);
      const mail = newest(to);
      if (mail === undefined) throw new Error('the mail is gone');
      taken.add(mail);
      return mail;
    },
    refuseWith: code => {
      refusal = code;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

function received(source: string, to: readonly string[], from: string): ReceivedMail {
  const headers = headersIn(source);
  const text = partIn(source, 'text/plain');
  return {
    to,
    from,
    headers: headers.map(line => line.toLowerCase()),
    subject: headers.find(line => /^subject: /i.test(line))?.slice('subject: '.length) ?? '',
    text,
    html: partIn(source, 'text/html'),
    link: /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '',
  };
}

/** The lines before the body, each with its continuations. */
function headersIn(source: string): string[] {
  const [head = ''] = source.split('\r\n\r\n');
  return head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
}

/** A part of the multipart body, decoded from quoted-printable if it is encoded. */
function partIn(source: string, type: string): string {
  const part =
    source.split(/^--.*\r\n/m).find(each => each.toLowerCase().startsWith(`content-type: ${type}`)) ?? '';
  const body = part.slice(part.indexOf('\r\n\r\n') + 4).replaceAll('\r\n', '\n');
  if (!/^content-transfer-encoding: quoted-printable/im.test(part)) return body;
  return body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
