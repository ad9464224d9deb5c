import type { RecordLayout } from '../../data/export/recordLayout';
import type { DataObject } from '../../data/tables/dataValue';
import { jsonText } from '../../data/tables/jsonText';

/** How rows of a query are written: all their columns are within them. */
export const resultLayout: RecordLayout<DataObject> = {
  fixed: [],
  fixedValues: () => [],
  root: '',
  data: (row) => row,
  further: '(further)',
  json: (row) => jsonText(row),
};
