/** What lists and grids of items say. */
export interface ItemStrings {
  readonly loading: string;
  readonly failed: string;
  readonly empty: string;
  readonly emptyHint: string;
}
