/** Rows of a sheet in Excel, but for the one with the names of the columns. */
export const MAX_SHEET_ROWS = 1_048_575;

/** A sheet has no room for the records: too many rows, or too many bytes. */
export class SheetLimitError extends Error {
  constructor(readonly limit: 'rows' | 'bytes') {
    super(`a sheet has no room for so many ${limit}`);
    this.name = 'SheetLimitError';
  }
}

/** @throws SheetLimitError when a sheet cannot have so many rows. */
export function checkRowCount(rows: number): void {
  if (rows > MAX_SHEET_ROWS) throw new SheetLimitError('rows');
}
