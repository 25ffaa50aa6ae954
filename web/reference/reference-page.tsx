import { Part } from '../shared/part.js';
import { anchorOf, objectAnchor, problemAnchor } from './anchors.js';
import { Inline, Markdown } from './markdown.js';
import { namedObjects } from './named-objects.js';
import { type OpenApi, operationsOf, type PlacedOperation } from './open-api.js';
import { ObjectFields, OperationSection } from './operation-section.js';

interface ReferenceProps {
  readonly document: OpenApi;
  /** Where the examples call the API. */
  readonly baseUrl: string;
}

/** The whole API on one page: the search of the browser finds everything, and every part has an address. */
export function ReferencePage({ document, baseUrl }: ReferenceProps) {
  const sections = sectionsOf(document);
  return (
    <div className="reference">
      <Contents sections={sections} />
      <div>
        <h1>API reference</h1>
        <p>
          Version {document.info.version}. For generators of clients: <a href="/openapi.json">openapi.json</a>
          , OpenAPI 3.1.
        </p>
        <Markdown text={document.info.description} />
        <p className="needs-script">
          “Try it” calls this service from your browser. What you enter is forgotten with the page.
        </p>
        {sections.map(({ name, description, operations }) => (
          <Part key={name} id={anchorOf(name)} title={name}>
            <p>
              <Inline text={description} />
            </p>
            {operations.map(each => (
              <OperationSection
                key={each.operationId}
                operation={each}
                document={document}
                baseUrl={baseUrl}
              />
            ))}
          </Part>
        ))}
        <Objects document={document} />
        <Problems document={document} />
      </div>
    </div>
  );
}

interface Section {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

function sectionsOf(document: OpenApi): Section[] {
  const all = operationsOf(document);
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all.filter(({ tags }) => tags[0] === name),
  }));
}

function Contents({ sections }: { readonly sections: readonly Section[] }) {
  return (
    <nav className="contents" aria-label="Reference">
      <label className="needs-script small">
        Filter
        <input type="search" id="filter" autoComplete="off" />
      </label>
      <ul>
        {sections.map(({ name, operations }) => (
          <li key={name}>
            <a href={`#${anchorOf(name)}`}>{name}</a>
            <ul>
              {operations.map(({ operationId, method, path, summary }) => (
                <li key={operationId} data-words={`${method} ${path} ${operationId}`}>
                  <a href={`#${anchorOf(operationId)}`}>{summary}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <a href="#objects">Objects</a>
        </li>
        <li>
          <a href="#problems">Problems</a>
        </li>
      </ul>
    </nav>
  );
}

function Objects({ document }: Pick<ReferenceProps, 'document'>) {
  return (
    <Part id="objects" title="Objects">
      <p>What bodies contain, by the names that the types of clients have.</p>
      {namedObjects(document).map(([name, schema]) => (
        <section key={name} className="operation" id={objectAnchor(name)}>
          <h3>{name}</h3>
          {schema.description === undefined ? null : <Markdown text={schema.description} />}
          <ObjectFields schema={schema} />
        </section>
      ))}
    </Part>
  );
}

function Problems({ document }: Pick<ReferenceProps, 'document'>) {
  return (
    <Part id="problems" title="Problems">
      <p>
        Every response outside 2xx and 3xx has one of these codes, as <code>application/problem+json</code>.
      </p>
      <ObjectFields schema={document.components.schemas['Problem'] ?? {}} />
      {Object.entries(document.components.examples).map(([code, { summary = code, value }]) => (
        <section key={code} className="operation" id={problemAnchor(code)}>
          <h3>
            <code>{code}</code>
          </h3>
          <p>{summary}</p>
          <pre>{JSON.stringify(value, null, 1)}</pre>
        </section>
      ))}
    </Part>
  );
}
