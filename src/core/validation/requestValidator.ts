import type { DescEnum, DescField, DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Validator, type Violation } from '@bufbuild/protovalidate';
import { type Path, pathToString } from '@bufbuild/protobuf/reflect';

/** Rule in the API contract that a request violates. */
interface RequestViolation {
  /** Path of the field with its wire names, such as `authorizations[0].resource_id`. */
  readonly field: string;
  /** Description of the problem that follows the name of the field, such as `must not be empty`. */
  readonly problem: string;
}

const MUST_NOT_BE_EMPTY = 'must not be empty';
const FIELD_END = ': ';

/** Converts a violation. Uses an actionable message where the library's own message is unclear. */
function toRequestViolation(violation: Violation): RequestViolation {
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

/** Validates requests according to the API contract's rules. */
export interface RequestValidator {
  /**
   * Returns the rule violations in a request, in field order; empty if there are none.
   * @throws if a rule can't be evaluated, which is a bug in the API contract.
   */
  violations<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
  ): readonly RequestViolation[];

  /**
   * Returns the rule violations in a request as messages that include the field name, such as
   * `name: must not be empty`.
   */
  validate<Desc extends DescMessage>(schema: Desc, request: MessageShape<Desc>): string[];

  /**
   * Returns the problem with a single field and ignores all other fields, for prompts that fill in
   * a request step by step.
   * @param field name of the field on the wire, such as `public_namespace`.
   */
  findProblem<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
    field: string,
  ): string | undefined;
}

class ContractValidator implements RequestValidator {
  private validator: Validator | undefined;

  violations<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
  ): readonly RequestViolation[] {
    this.validator ??= createValidator();
    const result = this.validator.validate(schema, request);
    if (result.kind === 'error') throw result.error;
    return result.kind === 'valid' ? [] : result.violations.map(toRequestViolation);
  }

  validate<Desc extends DescMessage>(schema: Desc, request: MessageShape<Desc>): string[] {
    return this.violations(schema, request).map(({ field, problem }) => `${field}: ${problem}`);
  }

  findProblem<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
    field: string,
  ): string | undefined {
    return this.violations(schema, request).find((violation) => violation.field === field)?.problem;
  }
}

/**
 * Validator that caches compiled rules. Compiling the rules for the first request of a type can
 * take tens of milliseconds.
 */
export const requestValidator: RequestValidator = new ContractValidator();
