/** A text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The texts as SQL writes them, one after the other. */
export function sqlTexts(texts: readonly string[]): string {
  return texts.map(sqlText).join(', ');
}

/** A name as SQL writes it, whatever it is. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
