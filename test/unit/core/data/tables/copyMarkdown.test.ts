import assert from 'node:assert/strict';
import { marked } from 'marked';
import { copyRows } from '../../../../../src/core/data/tables/copyRows';
import type { DataValue } from '../../../../../src/core/data/tables/dataValue';

const LIMITS = { rows: 100, characters: 100_000 };

function copied(name: string, values: readonly (DataValue | undefined)[]): string {
  const column = { name, valueIn: (value: DataValue | undefined) => value };
  return copyRows(values, [column], 'markdown', LIMITS).text;
}

describe('copyRows as Markdown', () => {
  it('writes a table with the names of the columns', () => {
    const columns = [
      { name: 'part_id', valueIn: ([id]: readonly DataValue[]) => id },
      { name: 'speed', valueIn: ([, speed]: readonly DataValue[]) => speed },
    ];
    const rows = [['a', 1.5], ['b|c'], ['d\ne', null]];
    assert.equal(
      copyRows(rows, columns, 'markdown', LIMITS).text,
      [
        String.raw`| part\_id | speed |`,
        '| --- | --- |',
        '| a | 1.5 |',
        String.raw`| b\|c |  |`,
        '| d<br>e | null |',
        '',
      ].join('\n'),
    );
  });

  it('preserves every text when the table is rendered', async () => {
    const texts = [
      ...['a|b', String.raw`a\|b`, '`code`', '*a* _b_ ~~c~~', '[a](b)', '<script>x</script>'],
      ...['&amp;', '# a', '- a', '$x$', String.raw`\\`, '![a](b)', '1. a', '| --- |', '😀'],
    ];
    const html = await marked.parse(copied('name|x', texts));
    const cells = [...html.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      decode(cell),
    );
    assert.deepEqual(cells, ['name|x', ...texts]);
  });

  it('converts line breaks of every kind to breaks within the cell', () => {
    assert.match(copied('a', ['x\r\ny\rz\tw']), /\| x<br>y<br>z w \|/);
  });
});

function decode(html: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => signs[name] ?? '');
}
