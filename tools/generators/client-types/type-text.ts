import { z } from 'zod';

/** Which side of a schema a type describes: what is sent, or what is read after parsing. */
export type Side = 'input' | 'output';

/** Their names are those of TypeScript. */
const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null', 'unknown']);

/** Unions are broken into lines from here on. */
const lineMaxChars = 100;
const docMaxChars = 106;

/**
 * Writes TypeScript types of zod schemas. A schema with a name (`meta({ id })`) is written once, under its name, and
 * referred to elsewhere.
 */
export class TypeTexts {
  private readonly declared = new Map<string, string>();

  /** The declarations of all names that were used so far, in the order of their use. */
  declarations(): string[] {
    return [...this.declared.values()];
  }

  typeOf(schema: z.core.$ZodType, side: Side): string {
    const name = nameOf(schema);
    if (name === undefined) return this.written(schema, side);
    if (!this.declared.has(name)) {
      this.declared.set(name, '');
      this.declared.set(name, this.declaration(name, schema, side));
    }
    return name;
  }

  /** An object type with a line for each field. */
  objectOf(fields: readonly Field[], isOpen = false): string {
    const lines = fields.map(({ name, type, isOptional = false, text }) => {
      const key = /^[a-z_]\w*$/i.test(name) ? name : `'${name}'`;
      const value = isOptional ? `?: ${type} | undefined` : `: ${type}`;
      return `${docOf(text)}readonly ${key}${value};`;
    });
    const others = isOpen ? ['readonly [field: string]: unknown;'] : [];
    return `{\n${indented([...lines, ...others].join('\n'))}\n}`;
  }

  private declaration(name: string, schema: z.core.$ZodType, side: Side): string {
    const doc = docOf(descriptionOf(schema));
    const type = this.written(schema, side);
    const isObject = definitionOf(schema).type === 'object';
    return `${doc}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}`;
  }

  private written(schema: z.core.$ZodType, side: Side): string {
    const def = definitionOf(schema);
    if (plainTypes.has(def.type)) return def.type;
    if (def.type === 'literal') return unionOf(def.values.map(literalText));
    if (def.type === 'enum') return unionOf(Object.values(def.entries).map(literalText));
    if (def.type === 'union') return unionOf(def.options.map(each => this.typeOf(each, side)));
    if (def.type === 'nullable') return unionOf([this.typeOf(def.innerType, side), 'null']);
    if (def.type === 'array') return `readonly ${inArray(this.typeOf(def.element, side))}[]`;
    if (def.type === 'tuple')
      return `readonly [${def.items.map(each => this.typeOf(each, side)).join(', ')}]`;
    if (def.type === 'record') return this.recordOf(def, side);
    if (def.type === 'object') return this.fieldsOf(def, side);
    if (def.type === 'pipe') {
      return this.typeOf(side === 'input' || isTransform(def.out) ? def.in : def.out, side);
    }
    // Whether a field can be left out, the object around it says.
    if ('innerType' in def) return this.typeOf(def.innerType, side);
    throw new Error(`The client has no type for ${def.type}.`);
  }

  private fieldsOf({ shape, catchall }: z.core.$ZodObjectDef, side: Side): string {
    const fields = Object.entries(shape).map(([name, field]) => ({
      name,
      type: this.typeOf(field, side),
      isOptional: (side === 'input' ? field._zod.optin : field._zod.optout) === 'optional',
      text: descriptionOf(field),
    }));
    const isOpen = catchall !== undefined && definitionOf(catchall).type === 'unknown';
    return this.objectOf(fields, isOpen);
  }

  private recordOf({ keyType, valueType, partial = false }: z.core.$ZodRecordDef, side: Side): string {
    const record = `Record<${this.typeOf(keyType, side)}, ${this.typeOf(valueType, side)}>`;
    return `Readonly<${partial ? `Partial<${record}>` : record}>`;
  }
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  /** Its docstring. */
  readonly text?: string | undefined;
}

function definitionOf(schema: z.core.$ZodType) {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** A copy of a named schema, as one that gets a description is, has the name of its original. */
function nameOf(schema: z.core.$ZodType): string | undefined {
  for (let each: z.core.$ZodType | undefined = schema; each !== undefined; each = each._zod.parent) {
    const id = z.globalRegistry.get(each)?.id;
    if (id !== undefined) return id;
  }
  return undefined;
}

function isTransform(schema: z.core.$ZodType): boolean {
  return definitionOf(schema).type === 'transform';
}

export function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description;
}

function literalText(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const line = distinct.join(' | ');
  if (line.length <= lineMaxChars || line.includes('\n')) return line;
  return `\n${indented(distinct.map(type => `| ${type}`).join('\n'))}`;
}

function inArray(type: string): string {
  return /[|\n]| /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}

/** A docstring with a line break at its end, or nothing. */
export function docOf(text: string | undefined): string {
  if (text === undefined) return '';
  const safe = text.replaceAll('*/', '* /');
  if (safe.length <= docMaxChars) return `/** ${safe} */\n`;
  const lines: string[] = [];
  for (const word of safe.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= docMaxChars) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return `/**\n${lines.map(line => ` * ${line}`).join('\n')}\n */\n`;
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
