import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Validator } from '@bufbuild/protovalidate';
import { type RequestViolation, toRequestViolation } from './requestViolation';

/** Validates requests according to the rules of the API contract. */
export interface RequestValidator {
  /**
   * Returns the rule violations in a request, in the order of its fields; empty if there are none.
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
  #validator: Validator | undefined;

  violations<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
  ): readonly RequestViolation[] {
    this.#validator ??= createValidator();
    const result = this.#validator.validate(schema, request);
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
