import assert from 'node:assert/strict';
import type { CellContent } from '../../../../../src/core/query/notebook/blocks';
import {
  type NotebookFile,
  readNotebook,
} from '../../../../../src/core/query/notebook/notebookFile';
import { printNotebook } from '../../../../../src/core/query/notebook/printNotebook';

const text = (value: string): CellContent => ({ kind: 'text', text: value });
const sql = (value: string): CellContent => ({
  ...({ kind: 'code', language: 'sql', recent: false } as const),
  text: value,
});
const mql = (value: string, recent = false): CellContent => ({
  ...({ kind: 'code', language: 'mql' } as const),
  recent,
  text: value,
});

function contents({ cells }: NotebookFile): readonly CellContent[] {
  return cells.map((cell) =>
    cell.kind === 'text'
      ? { kind: cell.kind, text: cell.text }
      : { kind: cell.kind, language: cell.language, recent: cell.recent, text: cell.text },
  );
}

function printed(...cells: readonly CellContent[]): string {
  return printNotebook({ head: '', cells, tail: '' });
}

const NOTEBOOK = `---
organization: 4a7c # Acme Robotics
---

# Warm parts

Since yesterday.

\`\`\`sql
SELECT part_id
FROM readings
LIMIT 10
\`\`\`

\`\`\`mql recent
[{ "$limit": 10 }]
\`\`\`
`;

describe('the text of a notebook', () => {
  it('is Markdown with blocks in SQL and MQL as cells', () => {
    assert.deepEqual(contents(readNotebook(NOTEBOOK)), [
      text('# Warm parts\n\nSince yesterday.'),
      sql('SELECT part_id\nFROM readings\nLIMIT 10'),
      mql('[{ "$limit": 10 }]', true),
    ]);
  });

  it('begins its first cell on a new line if the file was blank', () => {
    for (const blanks of ['\t', '  ', '\n ', '\u{FEFF}\t']) {
      const { head, tail } = readNotebook(blanks);
      const file = printNotebook({ head, cells: [sql('SELECT 1')], tail });
      assert.equal(file, `${blanks}\n\`\`\`sql\nSELECT 1\n\`\`\`\n`);
      assert.deepEqual(contents(readNotebook(file)), [sql('SELECT 1')]);
    }
  });

  it('is printed as it was parsed', () => {
    assert.equal(printNotebook(readNotebook(NOTEBOOK)), NOTEBOOK);
  });

  it('is printed in a plain format if it is new', () => {
    assert.equal(
      printed(text('# One'), sql('SELECT 1'), mql('[]')),
      '# One\n\n```sql\nSELECT 1\n```\n\n```mql\n[]\n```\n',
    );
    assert.equal(printed(), '');
  });

  it('differs only in the lines of a changed cell', () => {
    const source = NOTEBOOK.replaceAll('```', '~~~~').replaceAll('\n', '\r\n');
    const file = readNotebook(source);
    const cells = file.cells.map((cell) => ({ ...cell, text: cell.text.replace('10', '20') }));
    assert.equal(
      printNotebook({ ...file, cells: cells.slice(0, 2).concat(file.cells.slice(2)) }),
      source.replace('LIMIT 10', 'LIMIT 20'),
    );
  });

  it('gives a cell a fence that its text does not end', () => {
    const hostile = 'SELECT 1\n```\n````\n   `````\n~~~';
    assert.match(printed(sql(hostile)), /^`{6}sql\n/);
    assert.deepEqual(contents(readNotebook(printed(sql(hostile), sql('')))), [
      sql(hostile),
      sql(''),
    ]);
  });

  it('does not parse cells in examples within a text', () => {
    const example = text('So:\n\n```sql\nSELECT 1\n```');
    const output = printed(example, sql('SELECT 2'));
    assert.match(output, /^<!-- text cell -->\nSo:/);
    assert.deepEqual(contents(readNotebook(output)), [example, sql('SELECT 2')]);
  });

  it('treats code in other languages as text, without searching for cells in it', () => {
    const source = '# A\n\n````md\n```sql\nSELECT 1\n```\n````\n\n```json\n{}\n```\n';
    assert.deepEqual(contents(readNotebook(source)), [text(source.trimEnd())]);
  });

  it('preserves cells in other languages, which VS Code supports', () => {
    const cell: CellContent = { kind: 'code', language: 'python', recent: false, text: 'print(1)' };
    assert.equal(printed(cell), '```python cell\nprint(1)\n```\n');
    assert.deepEqual(contents(readNotebook(printed(cell))), [cell]);
  });

  it('separates consecutive texts, and preserves empty ones', () => {
    const cells = [text('A'), text('B'), text(''), text('\n'), text(' C '), text('D')];
    assert.deepEqual(contents(readNotebook(printed(...cells))), cells);
  });

  it('accepts a text that contains the comments of a text cell', () => {
    const cells = [
      text('<!-- text cell -->\nno end'),
      text('<!-- end of text cell -->\n<!-- end of text cell 2 -->'),
      text('<!-- text cell 7 -->'),
    ];
    assert.deepEqual(contents(readNotebook(printed(...cells))), cells);
  });

  it('accepts a text that looks like the header', () => {
    const cells = [text('---\norganization: other\n---')];
    const output = printed(...cells);
    assert.deepEqual(contents(readNotebook(output)), cells);
  });

  it('parses an unfinished block, and closes it if something follows', () => {
    const source = '# A\n```sql\nSELECT 1\n';
    const file = readNotebook(source);
    assert.deepEqual(contents(file), [text('# A'), sql('SELECT 1')]);
    assert.equal(printNotebook(file), source);
    const longer = printNotebook({ ...file, cells: [...file.cells, text('B')] });
    assert.equal(longer, '# A\n```sql\nSELECT 1\n```\n\nB\n');
  });

  it('preserves the gaps between cells when they are moved', () => {
    const file = readNotebook('A\n```sql\n1\n```\n\n\n```sql\n2\n```\n');
    const [a, one, two] = file.cells;
    assert.ok(a && one && two);
    assert.equal(
      printNotebook({ ...file, cells: [two, a, one] }),
      '```sql\n2\n```\n\nA\n```sql\n1\n```\n',
    );
  });

  it('ignores an invalid source', () => {
    const cells = ['SELECT 1', '```sql\n1\n```\n```sql\n2\n```', '```mql\n', '\u0000'].map(
      (source) => ({ ...sql('SELECT 2'), source }),
    );
    assert.deepEqual(
      contents(readNotebook(printNotebook({ head: '', cells, tail: '' }))),
      cells.map(() => sql('SELECT 2')),
    );
  });
});
