import assert from 'node:assert/strict';
import type { CellContent } from '../../../../../src/core/query/notebook/blocks';
import {
  type NotebookCell,
  readNotebook,
} from '../../../../../src/core/query/notebook/notebookFile';
import { printNotebook } from '../../../../../src/core/query/notebook/printNotebook';
import { Random } from '../../../../../src/simulate/random';

const ROUNDS = 1000;
/** Lines that mark the start or end of a cell, and similar lines. */
const LINES = [
  ...[
    '```sql',
    '```mql',
    '```mql recent',
    '```SQL',
    '``` sql',
    '~~~mql',
    '````sql',
    '```sql recent',
  ],
  ...[
    '```',
    '````',
    '~~~',
    '~~~~',
    '   ```',
    '    ```',
    '``` ',
    '```json',
    '```python cell',
    ' ```sql',
  ],
  ...['', '', '  ', '\t', 'text', '# Title', 'SELECT 1', '[{}]', '`` ` ``', '\u{FEFF}', '\u2028'],
  ...['---', '--- ', 'organization: a1', '# comment', '- item', 'title: "x"'],
  ...['<!-- text cell -->', '<!-- end of text cell -->', '<!-- text cell 2 -->'],
  ...['<!-- end of text cell 2 -->', '<!-- end of text cell --> ', '> ```sql'],
];
const BREAKS = ['\n', '\n', '\n', '\r\n', '\r'];
const LANGUAGES = ['sql', 'mql', 'python', 'objective-c++'];

function pickRandom<T>(random: Random, list: readonly T[]): T {
  const item = list[Math.floor(random.next() * list.length)];
  assert.notEqual(item, undefined);
  return item as T;
}

function lines(random: Random, most: number): readonly string[] {
  return Array.from({ length: Math.floor(random.next() * most) }, () => pickRandom(random, LINES));
}

function anyFile(random: Random): string {
  const lineBreak = random.next() < 0.8 ? pickRandom(random, BREAKS) : undefined;
  return lines(random, 14)
    .map((line) => line + (random.next() < 0.03 ? '' : (lineBreak ?? pickRandom(random, BREAKS))))
    .join('');
}

function anyCell(random: Random): NotebookCell {
  const text = lines(random, 5).join('\n');
  if (random.next() < 0.5) return { kind: 'text', text };
  const language = pickRandom(random, LANGUAGES);
  return { kind: 'code', language, recent: language === 'mql' && random.next() < 0.5, text };
}

/** Simulates an edited notebook: the cells are new, changed, moved, or from another file. */
function edited(random: Random, file: string): readonly NotebookCell[] {
  const cells = [...readNotebook(file).cells, ...readNotebook(anyFile(random)).cells];
  const changed = cells.map((cell) =>
    random.next() < 0.3 ? { ...cell, text: lines(random, 4).join('\n') } : cell,
  );
  return [...changed, anyCell(random), anyCell(random)]
    .filter(() => random.next() < 0.7)
    .toSorted(() => random.next() - 0.5);
}

function contents(cells: readonly NotebookCell[]): readonly CellContent[] {
  return cells.map((cell) => {
    if (cell.kind === 'text') return { kind: cell.kind, text: cell.text };
    const { kind, language, recent, text } = cell;
    return { kind, language, recent, text };
  });
}

describe('notebooks with any text', () => {
  const random = new Random(process.env.FLEETWRIGHT_TEST_SEED ?? 'notebooks');

  it('are printed as they were parsed, byte for byte', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const file = anyFile(random);
      assert.equal(printNotebook(readNotebook(file)), file, JSON.stringify(file));
    }
  });

  it('have the same cells when they are parsed again after any edits', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const file = anyFile(random);
      const { head, tail } = readNotebook(file);
      const cells = edited(random, file);
      const text = printNotebook({ head, cells, tail });
      const message = JSON.stringify({ head, cells, tail, text }, undefined, 1);
      assert.deepEqual(contents(readNotebook(text).cells), contents(cells), message);
    }
  });
});
