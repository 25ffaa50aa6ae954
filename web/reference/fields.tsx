import type { ReactNode } from 'react';
import { Inline } from './markdown.js';
import { partsOf, type Schema } from './open-api.js';
import { limitsText, TypeText } from './type-text.js';

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  /** What a caller must know of its presence, such as "required". */
  readonly presence?: string;
}

/** The fields of an object, those of anonymous objects within it below their own. */
export function Fields({ schema, isRequest }: { readonly schema: Schema; readonly isRequest: boolean }) {
  const { properties = {}, required = [] } = schema;
  return (
    <dl className="fields">
      {Object.entries(properties).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          description={field.description}
          presence={presenceOf(required.includes(name), isRequest)}
        >
          <Within schema={field} isRequest={isRequest} />
        </Field>
      ))}
    </dl>
  );
}

/** A request names what it must have; a response, what it may lack. */
function presenceOf(isRequired: boolean, isRequest: boolean): string {
  if (isRequest) return isRequired ? 'required' : '';
  return isRequired ? '' : 'not always there';
}

/** One line of a list of fields, parameters or headers. */
export function Field({
  name,
  schema,
  description,
  presence = '',
  children,
}: FieldProps & { readonly children?: ReactNode }) {
  const limits = limitsText(schema);
  return (
    <div>
      <dt>
        <code>{name}</code>{' '}
        <span className="type">
          <TypeText schema={schema} />
          {limits === '' ? '' : `, ${limits}`}
        </span>
        {presence === '' ? null : <span className="presence"> {presence}</span>}
      </dt>
      <dd>
        {description === undefined ? null : (
          <p>
            <Inline text={description} />
          </p>
        )}
        {children}
      </dd>
    </div>
  );
}

/** The fields of the anonymous objects that a schema contains. */
export function Within({ schema, isRequest }: { readonly schema: Schema; readonly isRequest: boolean }) {
  const objects = objectsIn(schema);
  return objects.map((each, index) => (
    <div key={JSON.stringify(each)}>
      {objects.length === 1 ? null : <p className="either">{index === 0 ? 'Either:' : 'Or:'}</p>}
      <Fields schema={each} isRequest={isRequest} />
    </div>
  ));
}

function objectsIn(schema: Schema): Schema[] {
  return schema.properties === undefined ? partsOf(schema).flatMap(objectsIn) : [schema];
}
