/**
 * Characters that start a formula in programs that open CSV as a sheet, including full-width ones
 * of East Asian input.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
/** Plain numbers that start like a formula. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns a text that no spreadsheet reads as a formula: the text is untrusted, and formulas can
 * send the contents of a sheet elsewhere. Adds a leading apostrophe, as OWASP recommends
 * (https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay unchanged.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
