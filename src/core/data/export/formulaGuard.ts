/**
 * Characters that start a formula in programs that open CSV as a spreadsheet, including the
 * full-width characters of East Asian input.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
/** Plain numbers, which can start like a formula. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns a text that no spreadsheet interprets as a formula. The text is untrusted, and formulas
 * can send the contents of a spreadsheet to other computers. Adds a leading apostrophe, as OWASP
 * recommends (https://owasp.org/www-community/attacks/CSV_Injection). Doesn't change numbers.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
