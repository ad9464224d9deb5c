/** Markdown between the queries. */
export interface TextCell {
  readonly kind: 'text';
  /** Line breaks are line feeds, regardless of the file. */
  readonly text: string;
}

/** Query, or code of another language that VS Code supports. */
export interface CodeCell {
  readonly kind: 'code';
  /** `sql`, `mql`, or the ID of another language. */
  readonly language: string;
  /** True to query only recent data, which the wire supports for MQL. */
  readonly recent: boolean;
  /** Line breaks are line feeds, regardless of the file. */
  readonly text: string;
}

export type CellContent = TextCell | CodeCell;

/** Returns true if two cells have the same content. */
export function isSameContent(one: CellContent, other: CellContent): boolean {
  if (one.kind === 'text' || other.kind === 'text')
    return one.kind === other.kind && one.text === other.text;
  return one.text === other.text && one.language === other.language && one.recent === other.recent;
}
