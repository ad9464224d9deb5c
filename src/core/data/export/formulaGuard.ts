/** With these, programs that open CSV as a sheet begin formulas, also full-width ones of East Asian input. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
/** What begins like a formula and is but a number. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A text that no spreadsheet takes for a formula: others wrote it, and formulas can send what is in a sheet
 * elsewhere. An apostrophe goes before it, as OWASP advises
 * (https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay as they are.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
