/**
 * A sentence with values in the place of `{0}`, `{1}` and so on. Names that people and machines choose
 * stay as they are, also where they look like a placeholder or like a pattern of `String.replace`.
 */
export function fillPlaceholders(sentence: string, ...values: readonly string[]): string {
  return sentence.replaceAll(
    /\{(\d)\}/g,
    (placeholder, index: string) => values[Number(index)] ?? placeholder,
  );
}
