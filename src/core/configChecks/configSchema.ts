import schema from '../../../media/schemas/machineConfig.schema.json';

/** Type of a JSON value other than null. */
export type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The parts of JSON Schema that the schema of configs uses. */
interface JsonSchema {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: ValueType | readonly ValueType[];
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** Schemas that apply to one value, with references resolved and alternatives listed. */
export type ValueSchema = readonly JsonSchema[];

const root = schema as JsonSchema;

/** Schema of a complete config. */
export const configSchema: ValueSchema = expand(root);

function expand(one: JsonSchema): JsonSchema[] {
  const { $ref, anyOf = [], allOf = [] } = one;
  const target = $ref && root.definitions?.[$ref.replace('#/definitions/', '')];
  return [one, ...(target ? expand(target) : []), ...[...anyOf, ...allOf].flatMap(expand)];
}

const expanded = new WeakMap<JsonSchema, ValueSchema>();

function expandOnce(one: JsonSchema): ValueSchema {
  const known = expanded.get(one) ?? expand(one);
  expanded.set(one, known);
  return known;
}

const keySchemasOf = new WeakMap<ValueSchema, ReadonlyMap<string, ValueSchema>>();
const elementSchemas = new WeakMap<ValueSchema, ValueSchema>();

/**
 * Returns the schema of each key that an object can have; empty if its keys are not described, as
 * for `attributes`.
 */
export function keySchemas(of: ValueSchema): ReadonlyMap<string, ValueSchema> {
  const known = keySchemasOf.get(of);
  if (known) return known;
  const found = new Map<string, ValueSchema>();
  for (const { properties = {} } of of) {
    for (const [key, value] of Object.entries(properties)) {
      found.set(key, [...(found.get(key) ?? []), ...expandOnce(value)]);
    }
  }
  // Any object can be a variable, so this key alone doesn't describe an object.
  if (found.size === 1) found.delete('$variable');
  keySchemasOf.set(of, found);
  return found;
}

/** Returns the schema for a list's elements. */
export function elementSchema(of: ValueSchema): ValueSchema {
  const known =
    elementSchemas.get(of) ?? of.flatMap(({ items }) => (items ? expandOnce(items) : []));
  elementSchemas.set(of, known);
  return known;
}

const valueTypesOf = new WeakMap<ValueSchema, readonly ValueType[]>();

/** Returns the types that a value that isn't a variable can have; empty if it can have any type. */
export function valueTypes(of: ValueSchema): readonly ValueType[] {
  const known = valueTypesOf.get(of);
  if (known) return known;
  const variable = root.definitions?.variable;
  const types = new Set(of.filter((one) => one !== variable).flatMap(({ type = [] }) => type));
  const found = [...types];
  valueTypesOf.set(of, found);
  return found;
}

/** Returns the schema for the keys of an object that have no schema of their own. */
export function otherKeySchema(of: ValueSchema): ValueSchema {
  return of.flatMap(({ additionalProperties: inner }) =>
    typeof inner === 'object' ? expandOnce(inner) : [],
  );
}

/** Returns the values that the schema lists for a string. */
export function listedValues(of: ValueSchema): readonly string[] {
  return of.flatMap(({ enum: values = [] }) =>
    values.filter((value): value is string => typeof value === 'string'),
  );
}

/** Returns the values that the schema lists for the value at a path, such as `component`, `type`. */
export function listedValuesAt(...keys: readonly string[]): readonly string[] {
  let at = configSchema;
  for (const key of keys) at = key === '*' ? elementSchema(at) : (keySchemas(at).get(key) ?? []);
  return listedValues(at);
}
