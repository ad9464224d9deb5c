import { isRecord } from '../../base/isRecord';
import { getOwn } from '../../base/getOwn';
import { FleetError } from '../api/errors';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** Properties that all schemas have. */
interface SchemaBase {
  readonly description?: string;
  /** True if an object can lack this member. */
  readonly isOptional?: boolean;
}

/** Text of any content. In answers, it is treated as untrusted and can be shortened. */
interface TextSchema extends SchemaBase {
  readonly kind: 'text';
  readonly maxLength?: number;
  /** True for text of ours or of an earlier answer, which answers contain unchanged. */
  readonly isSafe?: boolean;
}

/** Text of a JSON document, such as a config, whose members with names of secrets are redacted. */
interface DocumentSchema extends SchemaBase {
  readonly kind: 'document';
}

/** ID, version, or page token, which answers contain unchanged. */
interface IdSchema extends SchemaBase {
  readonly kind: 'id';
  readonly maxLength?: number;
}

/** Time in UTC as ISO 8601. */
interface TimeSchema extends SchemaBase {
  readonly kind: 'time';
}

interface ChoiceSchema<Value extends string> extends SchemaBase {
  readonly kind: 'choice';
  readonly values: readonly Value[];
}

interface NumberSchema extends SchemaBase {
  readonly kind: 'number' | 'integer';
  readonly min?: number;
  readonly max?: number;
}

interface FlagSchema extends SchemaBase {
  readonly kind: 'flag';
}

/** JSON of any form, which others wrote, such as a reading. */
interface JsonSchema extends SchemaBase {
  readonly kind: 'json';
}

interface ListSchema<Item extends ToolSchema> extends SchemaBase {
  readonly kind: 'list';
  readonly items: Item;
  readonly maxItems?: number;
}

/** Object that has only the listed members. */
export interface ObjectSchema<Members extends SchemaMembers = SchemaMembers> extends SchemaBase {
  readonly kind: 'object';
  readonly members: Members;
}

export type SchemaMembers = Readonly<Record<string, ToolSchema>>;

/**
 * Schema for the input or the answer of a tool: the part of JSON Schema that tools need, with the
 * difference between IDs and text from others, which JSON Schema can't express.
 */
export type ToolSchema =
  | TextSchema
  | DocumentSchema
  | IdSchema
  | TimeSchema
  | ChoiceSchema<string>
  | NumberSchema
  | FlagSchema
  | JsonSchema
  | ({ readonly kind: 'list'; readonly items: ToolSchema; readonly maxItems?: number } & SchemaBase)
  | ({ readonly kind: 'object'; readonly members: SchemaMembers } & SchemaBase);

/** Type of the values that match a schema. */
export type ValueOf<S> = S extends { readonly kind: 'text' | 'document' | 'id' | 'time' }
  ? string
  : S extends { readonly kind: 'number' | 'integer' }
    ? number
    : S extends { readonly kind: 'flag' }
      ? boolean
      : S extends { readonly kind: 'choice'; readonly values: readonly (infer Value)[] }
        ? Value
        : S extends { readonly kind: 'list'; readonly items: infer Item }
          ? readonly ValueOf<Item>[]
          : S extends { readonly kind: 'object'; readonly members: infer Members }
            ? ObjectOf<Members>
            : JsonValue;

type OptionalNames<Members> = {
  [Name in keyof Members]: Members[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Members];

type ObjectOf<Members> = {
  readonly [Name in Exclude<keyof Members, OptionalNames<Members>>]: ValueOf<Members[Name]>;
} & {
  readonly [Name in OptionalNames<Members>]?: ValueOf<Members[Name]> | undefined;
};

/** Maximum length of text in an input. It has room for a config of 2,000 components. */
const MAX_INPUT_LENGTH = 1_000_000;
const MAX_ID_LENGTH = 512;

export const text = (description?: string, maxLength?: number) =>
  ({ kind: 'text', ...described(description), ...(maxLength && { maxLength }) }) as const;

export const document = (description?: string) =>
  ({ kind: 'document', ...described(description) }) as const;

export const id = (description?: string, maxLength?: number) =>
  ({ kind: 'id', ...described(description), ...(maxLength && { maxLength }) }) as const;

export const time = (description?: string) =>
  ({ kind: 'time', ...described(description) }) as const;

export const integer = (description?: string, range: { min?: number; max?: number } = {}) =>
  ({ kind: 'integer', ...described(description), ...range }) as const;

export const number = (description?: string) =>
  ({ kind: 'number', ...described(description) }) as const;

export const flag = (description?: string) =>
  ({ kind: 'flag', ...described(description) }) as const;

export const json = (description?: string) =>
  ({ kind: 'json', ...described(description) }) as const;

export function choice<const Value extends string>(values: readonly Value[], description?: string) {
  return { kind: 'choice', values, ...described(description) } as const;
}

export function list<const Item extends ToolSchema>(
  items: Item,
  description?: string,
  maxItems?: number,
): ListSchema<Item> {
  return { kind: 'list', items, ...described(description), ...(maxItems && { maxItems }) };
}

export function object<const Members extends SchemaMembers>(
  members: Members,
  description?: string,
): ObjectSchema<Members> {
  return { kind: 'object', members, ...described(description) };
}

/** Makes a member of an object optional. */
export function optional<const S extends ToolSchema>(schema: S): S & { readonly isOptional: true } {
  return { ...schema, isOptional: true };
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

/** Converts a schema to JSON Schema, as the protocol and VS Code expect it. */
export function toJsonSchema(schema: ToolSchema): JsonObject {
  return { ...toTypeSchema(schema), ...described(schema.description) };
}

function toTypeSchema(schema: ToolSchema): JsonObject {
  switch (schema.kind) {
    case 'text':
    case 'id':
      return {
        type: 'string',
        ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
      };
    case 'document':
    case 'time':
      return { type: 'string' };
    case 'choice':
      return { type: 'string', enum: [...schema.values] };
    case 'number':
    case 'integer':
      return {
        type: schema.kind,
        ...(schema.min !== undefined && { minimum: schema.min }),
        ...(schema.max !== undefined && { maximum: schema.max }),
      };
    case 'flag':
      return { type: 'boolean' };
    case 'json':
      return {};
    case 'list':
      return {
        type: 'array',
        items: toJsonSchema(schema.items),
        ...(schema.maxItems !== undefined && { maxItems: schema.maxItems }),
      };
    case 'object': {
      const members = Object.entries(schema.members);
      const required = members.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
      return {
        type: 'object',
        properties: Object.fromEntries(
          members.map(([name, member]) => [name, toJsonSchema(member)]),
        ),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      };
    }
  }
}

/**
 * Checks a tool's input, which models write. VS Code doesn't check it.
 *
 * @throws FleetError `invalid` that names the wrong member and the expected value.
 */
export function parseInput<S extends ObjectSchema>(schema: S, input: unknown): ValueOf<S> {
  const problem = findProblem(schema, input ?? {}, '');
  if (problem !== undefined) throw new FleetError('invalid', problem);
  return (input ?? {}) as ValueOf<S>;
}

function findProblem(schema: ToolSchema, value: unknown, path: string): string | undefined {
  const expected = describeExpected(schema);
  if (!matches(schema, value)) return `${path || 'The input'} must be ${expected}.`;
  if (schema.kind === 'list') {
    return (value as readonly unknown[])
      .map((item, index) => findProblem(schema.items, item, `${path}[${index}]`))
      .find((problem) => problem !== undefined);
  }
  if (schema.kind !== 'object') return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(schema.members, name));
  const known = Object.keys(schema.members).join(', ') || 'none';
  if (unknown !== undefined) {
    return `The input has an unknown parameter. The known parameters are: ${known}.`;
  }
  for (const [name, member] of Object.entries(schema.members)) {
    const inner = path === '' ? name : `${path}.${name}`;
    const argument = getOwn(members, name);
    if (argument === undefined) {
      if (member.isOptional) continue;
      return `${inner} is missing. It must be ${describeExpected(member)}.`;
    }
    const problem = findProblem(member, argument, inner);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function matches(schema: ToolSchema, value: unknown): boolean {
  switch (schema.kind) {
    case 'text':
      return typeof value === 'string' && value.length <= (schema.maxLength ?? MAX_INPUT_LENGTH);
    case 'document':
      return typeof value === 'string' && value.length <= MAX_INPUT_LENGTH;
    case 'id':
      return (
        typeof value === 'string' &&
        value !== '' &&
        value.length <= (schema.maxLength ?? MAX_ID_LENGTH)
      );
    case 'time':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    case 'choice':
      return typeof value === 'string' && schema.values.includes(value);
    case 'number':
    case 'integer':
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (schema.kind === 'number' || Number.isSafeInteger(value)) &&
        value >= (schema.min ?? -Infinity) &&
        value <= (schema.max ?? Infinity)
      );
    case 'flag':
      return typeof value === 'boolean';
    case 'json':
      return true;
    case 'list':
      return Array.isArray(value) && value.length <= (schema.maxItems ?? Infinity);
    case 'object':
      return isRecord(value);
  }
}

function describeExpected(schema: ToolSchema): string {
  switch (schema.kind) {
    case 'text':
      return `text of at most ${schema.maxLength ?? MAX_INPUT_LENGTH} characters`;
    case 'document':
      return `text of at most ${MAX_INPUT_LENGTH} characters`;
    case 'id':
      return `an ID of at most ${schema.maxLength ?? MAX_ID_LENGTH} characters`;
    case 'time':
      return 'a time in ISO 8601, such as 2026-01-31T08:00:00Z';
    case 'choice':
      return `one of ${schema.values.join(', ')}`;
    case 'number':
    case 'integer': {
      const { min, max, kind } = schema;
      const range = min === undefined || max === undefined ? '' : ` from ${min} to ${max}`;
      return kind === 'integer' ? `an integer${range}` : `a number${range}`;
    }
    case 'flag':
      return 'true or false';
    case 'json':
      return 'JSON';
    case 'list':
      return schema.maxItems === undefined
        ? 'a list'
        : `a list of at most ${schema.maxItems} items`;
    case 'object':
      return 'an object';
  }
}
