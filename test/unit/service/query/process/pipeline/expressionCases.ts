import assert from 'node:assert/strict';
import { runOn } from './runOn';

/** Returns the value of an expression for a document; undefined if it is missing. */
export async function compute(document: object, expression: unknown): Promise<unknown> {
  const [result] = await runOn([{ ...document }], { $project: { value: expression } });
  return result?.value;
}

/** Asserts the values of expressions for a document. */
export async function assertValues(
  document: object,
  cases: readonly (readonly [expression: unknown, expected: unknown])[],
): Promise<void> {
  for (const [expression, expected] of cases) {
    assert.deepEqual(await compute(document, expression), expected, JSON.stringify(expression));
  }
}

/** Asserts the messages with which expressions are rejected for a document. */
export async function assertErrors(
  document: object,
  cases: readonly (readonly [expression: unknown, message: RegExp])[],
): Promise<void> {
  for (const [expression, message] of cases) {
    await assert.rejects(compute(document, expression), message, JSON.stringify(expression));
  }
}
