import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Validator } from '@bufbuild/protovalidate';
import { type RequestViolation, toRequestViolation } from './requestViolation';

/** Validates requests by the rules of the contract. */
export interface RequestValidator {
  /**
   * Returns the rules that a request violates, in the order of its fields; empty if there are none.
   * @throws if a rule of the contract can't be evaluated, which is a bug in the contract.
   */
  violations<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
  ): readonly RequestViolation[];

  /** Returns the violations as messages with the field name, such as `name: must not be empty`. */
  validate<Desc extends DescMessage>(schema: Desc, request: MessageShape<Desc>): string[];

  /**
   * Returns the problem with one field, regardless of the others: for prompts, which fill a request
   * step by step.
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

/** Compiles the rules of a message for its first request, which can take tens of milliseconds, and caches them. */
export const requestValidator: RequestValidator = new ContractValidator();
