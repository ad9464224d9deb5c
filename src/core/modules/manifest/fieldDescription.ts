import { getLocation, type JSONPath } from 'jsonc-parser';
import { findField } from './manifestTree';
import type { ParsedManifest } from './parseManifest';
import type { TextSpan } from './manifestFinding';

/** Schema of a manifest field, in the subset of JSON Schema that the manifest schema uses. */
export interface DescribedField {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedField>>;
  readonly items?: DescribedField;
  readonly anyOf?: readonly {
    readonly enum?: readonly string[];
    readonly enumDescriptions?: readonly string[];
  }[];
}

/** Description of a field and of its current value. */
export interface FieldDescription {
  readonly span: TextSpan;
  readonly texts: readonly string[];
}

/**
 * Returns the schema's description of the field at an offset in a manifest; undefined if there is
 * none.
 */
export function describeField(
  text: string,
  offset: number,
  { parsed, schema }: { readonly parsed: ParsedManifest; readonly schema: DescribedField },
): FieldDescription | undefined {
  const { path, isAtPropertyKey } = getLocation(text, offset);
  const field = fieldAt(schema, path);
  const found = parsed.root && findField(parsed.root, path);
  const node = isAtPropertyKey ? found?.key : found?.value;
  if (field?.description === undefined || !node) return undefined;
  if (node.type === 'object' || node.type === 'array') return undefined;
  const span = { offset: node.offset, length: node.length };
  const meaning = describeValue(field, found?.value.value);
  return {
    span,
    texts: meaning === undefined ? [field.description] : [field.description, meaning],
  };
}

function fieldAt(schema: DescribedField, path: JSONPath): DescribedField | undefined {
  let field: DescribedField | undefined = schema;
  for (const step of path) {
    const { properties = {}, items }: DescribedField = field;
    if (typeof step === 'number') field = items;
    else field = Object.hasOwn(properties, step) ? properties[step] : undefined;
    if (!field) return undefined;
  }
  return field;
}

function describeValue({ anyOf = [] }: DescribedField, value: unknown): string | undefined {
  for (const { enum: values = [], enumDescriptions = [] } of anyOf) {
    const index = values.findIndex((known) => known === value);
    const meaning = enumDescriptions[index];
    if (meaning !== undefined) return `${values[index] ?? ''}: ${meaning}`;
  }
  return undefined;
}
