/**
 * Replaces the placeholders `{0}`, `{1}`, and so on in a sentence with values. Names chosen by
 * users and machines stay unchanged, even if they look like placeholders or replacement patterns of
 * `String.replace`.
 */
export function fillPlaceholders(sentence: string, ...values: readonly string[]): string {
  return sentence.replaceAll(
    /\{(\d)\}/g,
    (placeholder, index: string) => values[Number(index)] ?? placeholder,
  );
}
