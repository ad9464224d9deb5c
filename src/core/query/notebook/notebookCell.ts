/** Markdown between the queries. */
export interface TextCell {
  readonly kind: 'text';
  /** Its lines end with line feeds, whatever the file has. */
  readonly text: string;
}

/** A query, or code of another language that VS Code lets a person write. */
export interface CodeCell {
  readonly kind: 'code';
  /** `sql`, `mql`, or the id of another language. */
  readonly language: string;
  /** Asks what was stored of late alone, which the wire knows for MQL. */
  readonly recent: boolean;
  /** Its lines end with line feeds, whatever the file has. */
  readonly text: string;
}

export type CellContent = TextCell | CodeCell;

/** Whether two cells say the same. */
export function isSameContent(one: CellContent, other: CellContent): boolean {
  if (one.kind === 'text' || other.kind === 'text')
    return one.kind === other.kind && one.text === other.text;
  return one.text === other.text && one.language === other.language && one.recent === other.recent;
}
