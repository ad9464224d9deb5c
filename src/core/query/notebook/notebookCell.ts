/** Markdown between the queries. */
export interface TextCell {
  readonly kind: 'text';
  /** Content of the cell. Line breaks are line feeds, regardless of the line breaks in the file. */
  readonly text: string;
}

/** Query, or code in another language that VS Code supports. */
export interface CodeCell {
  readonly kind: 'code';
  /** Language of the code: `sql`, `mql`, or the ID of another language. */
  readonly language: string;
  /** True to query only recent data, which the API supports only for MQL. */
  readonly recent: boolean;
  /** Content of the cell. Line breaks are line feeds, regardless of the line breaks in the file. */
  readonly text: string;
}

export type CellContent = TextCell | CodeCell;

/** Returns true if two cells have the same content. */
export function isSameContent(one: CellContent, other: CellContent): boolean {
  if (one.kind === 'text' || other.kind === 'text')
    return one.kind === other.kind && one.text === other.text;
  return one.text === other.text && one.language === other.language && one.recent === other.recent;
}
