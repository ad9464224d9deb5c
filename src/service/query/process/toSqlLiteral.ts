/** Returns a string as an SQL literal. */
export function toSqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns strings as a list of SQL literals. */
export function sqlTexts(texts: readonly string[]): string {
  return texts.map(toSqlLiteral).join(', ');
}

/** Returns a name as a quoted SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
