import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createValidator, type Validator } from '@bufbuild/protovalidate';
import { type RequestViolation, toRequestViolation } from './requestViolation';

/** Checks requests against the rules that the contract declares with them. */
export interface RequestValidator {
  /**
   * The rules that a request breaks, in the order of its fields; empty when there are none.
   * @throws when a rule of the contract cannot be evaluated, which is a fault of the contract.
   */
  violations<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
  ): readonly RequestViolation[];

  /** The same as sentences that name their field, such as `name: must not be empty`. */
  validate<Desc extends DescMessage>(schema: Desc, request: MessageShape<Desc>): string[];

  /**
   * What is wrong with one field, whatever the others hold: for prompts, which fill a request bit by
   * bit.
   * @param field the field's name in the wire's spelling, such as `public_namespace`.
   */
  problemOf<Desc extends DescMessage>(
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

  problemOf<Desc extends DescMessage>(
    schema: Desc,
    request: MessageShape<Desc>,
    field: string,
  ): string | undefined {
    return this.violations(schema, request).find((violation) => violation.field === field)?.problem;
  }
}

/** Compiles the rules of a message for its first request, which can take tens of milliseconds, and caches them. */
export const requestValidator: RequestValidator = new ContractValidator();
