import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  ScalarType,
} from '@bufbuild/protobuf';

/** The facts in `wire.json`. Each fact is one line, so that a difference shows up as two lines. */
export interface WireFacts {
  /** Methods by service, each as `<streaming kind> <path> <request> <response>`. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  /**
   * Contents by message: `deprecated`, `reserved <number or name>`, and the fields in numeric
   * order.
   */
  readonly messages: Readonly<Record<string, readonly string[]>>;
  /** Values by enum, each as `<name> = <number>`, in numeric order. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** The `<service>/<rpc>` that implements each operation in the service's description. */
  readonly operations: Readonly<Record<string, string>>;
}

/** Formats a method as a line of the facts. */
export function methodLine({ methodKind, parent, name, input, output }: DescMethod): string {
  return `${methodKind} /${parent.typeName}/${name} ${input.typeName} ${output.typeName}`;
}

/** Formats a message as lines of the facts. */
export function messageLines({ deprecated, proto, fields }: DescMessage): string[] {
  const numbers = proto.reservedRange.flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, offset) => start + offset),
  );
  return [
    ...(deprecated ? ['deprecated'] : []),
    ...[...numbers, ...proto.reservedName].map((reserved) => `reserved ${reserved}`),
    ...fields.toSorted((a, b) => a.number - b.number).map(fieldLine),
  ];
}

/** Formats an enum as lines of the facts. */
export function enumLines({ values }: DescEnum): string[] {
  return values
    .toSorted((a, b) => a.number - b.number)
    .map(({ name, number }) => `${name} = ${number}`);
}

function fieldLine(field: DescField): string {
  const type =
    field.fieldKind === 'map'
      ? `map<${scalarName(field.mapKey)}, ${elementType(field)}>`
      : elementType(field);
  const parts = [...label(field), type, field.name, '=', field.number];
  return [...parts, ...(field.deprecated ? ['deprecated'] : [])].join(' ');
}

function label(field: DescField): string[] {
  if (field.fieldKind === 'list') return ['repeated'];
  if (field.oneof) return ['oneof', field.oneof.name];
  return field.proto.proto3Optional ? ['optional'] : [];
}

function elementType({ message, enum: enumeration, scalar }: DescField): string {
  if (message) return message.typeName;
  if (enumeration) return enumeration.typeName;
  return scalarName(scalar);
}

function scalarName(type: ScalarType): string {
  return ScalarType[type].toLowerCase();
}
