import type { DescEnum, DescField } from '@bufbuild/protobuf';
import { type Path, pathToString } from '@bufbuild/protobuf/reflect';
import type { Violation } from '@bufbuild/protovalidate';

/** Rule of the API contract that a request violates. */
export interface RequestViolation {
  /** Path of the field with its names on the wire, such as `authorizations[0].resource_id`. */
  readonly field: string;
  /** Description of the problem that follows the name of the field, such as `must not be empty`. */
  readonly problem: string;
}

const MUST_NOT_BE_EMPTY = 'must not be empty';
const FIELD_END = ': ';

/** Converts a violation. Uses an actionable message where the library's own message is unclear. */
export function toRequestViolation(violation: Violation): RequestViolation {
  const path = pathToString(violation.field);
  const isRuleOfMessage = violation.rule.length === 0;
  if (!isRuleOfMessage) return { field: path, problem: describeViolation(violation) };
  // A rule for a whole message has no field. By convention in the API contract, its text starts
  // with a field instead.
  const [field = '', ...problem] = violation.message.split(FIELD_END);
  return {
    field: path === '' ? field : `${path}.${field}`,
    problem: problem.join(FIELD_END),
  };
}

function describeViolation({ ruleId, message, field }: Violation): string {
  const target = lastField(field);
  switch (ruleId) {
    case 'required':
      return target && canBeEmpty(target) ? MUST_NOT_BE_EMPTY : 'is required';
    case 'string.email_empty':
      return MUST_NOT_BE_EMPTY;
    case 'string.min_len':
      return message === 'must be at least 1 characters' ? MUST_NOT_BE_EMPTY : message;
    case 'repeated.max_items':
      return message.replace(
        /^must contain no more than (\d+) item\(s\)$/,
        'must not have more than $1 items',
      );
    case 'enum.defined_only':
      return target?.enum ? `must be one of ${valueNames(target.enum)}` : message;
    default:
      return message;
  }
}

function lastField(path: Path): DescField | undefined {
  const last = path.findLast((element) => element.kind === 'field');
  return last?.kind === 'field' ? last : undefined;
}

function canBeEmpty({ fieldKind }: DescField): boolean {
  return fieldKind !== 'message' && fieldKind !== 'enum';
}

function valueNames({ values }: DescEnum): string {
  return values
    .map(({ name }) => name)
    .filter((name) => !name.endsWith('_UNSPECIFIED'))
    .join(', ');
}
