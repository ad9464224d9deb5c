import assert from 'node:assert/strict';
import { parseAnsi, stripAnsi, stripAnsiFromJson } from '../../../src/base/ansiText';
import { EVERY_LINE, passingItems } from '../../../src/core/logs/logItem';
import { lineItem } from '../host/features/logs/logItems';

const ESC = '\u001b';

describe('parseAnsi', () => {
  it('reads the 16 colors and the text attributes', () => {
    const source = `${ESC}[31;102mA${ESC}[39mB${ESC}[49;38;5;12mC${ESC}[0;2;3;4mD${ESC}[22;23;24mE`;
    assert.deepEqual(parseAnsi(source), {
      text: 'ABCDE',
      styles: [
        { start: 0, end: 1, color: 1, background: 10 },
        { start: 1, end: 2, background: 10 },
        { start: 2, end: 3, color: 12 },
        { start: 3, end: 4, dim: true, italic: true, underline: true },
      ],
    });
  });

  it('ignores colors outside of the palette and what follows them', () => {
    assert.deepEqual(parseAnsi(`${ESC}[38;5;200mA${ESC}[38;2;1;3;4mB`).styles, []);
  });

  it('reads colons between parameters and C1 introducers', () => {
    assert.deepEqual(parseAnsi(`\u009b38:5:2mA`), {
      text: 'A',
      styles: [{ start: 0, end: 1, color: 2 }],
    });
  });
});

describe('stripAnsi', () => {
  it('removes all escape sequences', () => {
    const link = `${ESC}]8;;https://example.com${ESC}\\link${ESC}]8;;${ESC}\\`;
    assert.equal(
      stripAnsi(`${ESC}[2J${ESC}[?25l${ESC}(B${link}${ESC}Pq#0${ESC}\\.${ESC}7`),
      'link.',
    );
  });

  it('preserves text after an unterminated control string', () => {
    assert.equal(stripAnsi(`${ESC}]0;the motor is hot`), '0;the motor is hot');
  });

  it('takes linear time for hostile text', () => {
    const long = 'x'.repeat(400_000);
    assert.equal(stripAnsi(`${ESC}]`.repeat(200_000)), '');
    assert.equal(stripAnsi(`${ESC}]${long}`), long);
  });

  it('removes escape sequences from strings of JSON', () => {
    const json = JSON.stringify({ a: `${ESC}[31mred${ESC}[0m`, b: '\\u001b[31m' });
    assert.deepEqual(JSON.parse(stripAnsiFromJson(json)), { a: 'red', b: '\\u001b[31m' });
  });
});

describe('passingItems', () => {
  const find = (text: string): number => {
    const line = lineItem({ message: `out ${ESC}[31mof${ESC}[0m range` });
    return passingItems({ ...EVERY_LINE, text }, () => [])([line]).length;
  };

  it('searches the text of a line without its escape sequences', () => {
    assert.equal(find('out of range'), 1);
    assert.equal(find('[31m'), 0);
  });
});
