import { anchorOf, problemAnchor } from './anchors.js';
import { CodeTabs } from './code-tabs.js';
import { Field, Fields, Within } from './fields.js';
import { Inline, Markdown } from './markdown.js';
import {
  type ApiResponse,
  bodyOf,
  type MediaType,
  nameIn,
  type OpenApi,
  type PlacedOperation,
  type Schema,
} from './open-api.js';
import { TypeText } from './type-text.js';

interface OperationProps {
  readonly operation: PlacedOperation;
  readonly document: OpenApi;
  readonly baseUrl: string;
}

/** One operation: what it does, what it takes and answers, and how to call it. */
export function OperationSection({ operation, document, baseUrl }: OperationProps) {
  const { operationId, method, path, summary, description } = operation;
  const anchor = anchorOf(operationId);
  return (
    <section className="operation" id={anchor} aria-labelledby={`${anchor}-title`}>
      <h3 id={`${anchor}-title`}>
        <a href={`#${anchor}`}>{summary}</a>
      </h3>
      <p className="endpoint">
        <code>
          <b>{method}</b> {path}
        </code>
      </p>
      <div className="columns">
        <div>
          <Markdown text={description} />
          <Parameters operation={operation} />
          <RequestBody operation={operation} document={document} />
          <Responses operation={operation} document={document} />
        </div>
        <div className="beside">
          <CodeTabs operation={operation} baseUrl={baseUrl} />
          <Examples operation={operation} />
          <button type="button" className="button quiet small try" data-operation={operationId}>
            Try it<span className="unseen">: {summary}</span>
          </button>
        </div>
      </div>
    </section>
  );
}

function Parameters({ operation: { parameters = [] } }: Pick<OperationProps, 'operation'>) {
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <dl className="fields">
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <Field
            key={`${place} ${name}`}
            name={name}
            schema={schema}
            description={description}
            presence={`${place}${required ? ', required' : ''}`}
          />
        ))}
      </dl>
    </>
  );
}

function RequestBody({ operation: { requestBody }, document }: Omit<OperationProps, 'baseUrl'>) {
  if (requestBody === undefined) return null;
  const body = bodyOf(requestBody);
  return (
    <>
      <h4>Body{requestBody.required ? '' : ', optional'}</h4>
      {body === null ? null : <Body {...body} document={document} isRequest />}
    </>
  );
}

interface BodyProps {
  readonly type: string;
  readonly media: MediaType;
  readonly document: OpenApi;
  readonly isRequest: boolean;
}

/** The fields of a body; those of a named object too, so that a reader finds them here. */
function Body({ type, media: { schema }, document, isRequest }: BodyProps) {
  if (schema === undefined) return <p>{type}</p>;
  const shown: Schema =
    schema.$ref === undefined ? schema : (document.components.schemas[nameIn(schema.$ref)] ?? schema);
  return (
    <>
      {type === 'application/json' ? null : <p>{type}</p>}
      {shown.properties === undefined ? (
        <p className="type">
          <TypeText schema={schema} />
        </p>
      ) : null}
      <Within schema={shown} isRequest={isRequest} />
    </>
  );
}

/** The answers with their fields, then the problems by their codes. */
function Responses({ operation: { responses }, document }: Omit<OperationProps, 'baseUrl'>) {
  const all = Object.entries(responses);
  const answers = all.filter(([status]) => status < '400');
  const codes = all
    .filter(([status]) => status >= '400')
    .flatMap(([status, response]) => codesOf(response).map(code => ({ status, code })));
  return (
    <>
      {answers.map(([status, response]) => (
        <Answer key={status} status={status} response={response} document={document} />
      ))}
      <h4>Problems</h4>
      <ul className="problems">
        {codes.map(({ status, code }) => (
          <li key={code}>
            {status} <a href={`#${problemAnchor(code)}`}>{code}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

const codesOf = (response: ApiResponse): string[] => Object.keys(bodyOf(response)?.media.examples ?? {});

interface AnswerProps {
  readonly status: string;
  readonly response: ApiResponse;
  readonly document: OpenApi;
}

function Answer({ status, response, document }: AnswerProps) {
  const body = bodyOf(response);
  return (
    <>
      <h4>Answer {status}</h4>
      <p>
        <Inline text={response.description} />
      </p>
      <Headers response={response} document={document} />
      {body === null ? null : <Body {...body} document={document} isRequest={false} />}
    </>
  );
}

/** Those that not every response has. */
function Headers({ response: { headers = {} }, document }: Omit<AnswerProps, 'status'>) {
  const own = Object.entries(headers).filter(([name]) => !generalHeaders.has(name));
  if (own.length === 0) return null;
  return (
    <dl className="fields">
      {own.map(([name, { $ref }]) => (
        <Field
          key={name}
          name={name}
          schema={headerSchema}
          description={document.components.headers[nameIn($ref)]?.description}
        />
      ))}
    </dl>
  );
}

const headerSchema: Schema = { type: 'header' };

const generalHeaders = new Set(['X-Request-Id', 'Cache-Control', 'RateLimit', 'RateLimit-Policy']);

/** The example bodies of 2xx, closed: a report is long. */
function Examples({ operation: { responses } }: Pick<OperationProps, 'operation'>) {
  const examples = Object.entries(responses)
    .filter(([status]) => status < '300')
    .flatMap(([status, response]) =>
      Object.entries(bodyOf(response)?.media.examples ?? {}).map(([name, { summary, value }]) => ({
        key: `${status} ${name}`,
        label: `${status}: ${summary ?? name}`,
        value,
      })),
    );
  return examples.map(({ key, label, value }) => (
    <details key={key} className="example">
      <summary>{label}</summary>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</pre>
    </details>
  ));
}

/** An object that several bodies contain, or a part of one. */
export function ObjectFields({ schema }: { readonly schema: Schema }) {
  return schema.properties === undefined ? (
    <>
      <p className="type">
        <TypeText schema={schema} />
      </p>
      <Within schema={schema} isRequest={false} />
    </>
  ) : (
    <Fields schema={schema} isRequest={false} />
  );
}
