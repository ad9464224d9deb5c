import assert from 'node:assert/strict';
import {
  distinctName,
  foldedName,
  toFileName,
} from '../../../../src/core/data/download/fileNameAllocator';
import type { BinaryItem } from '../../../../src/core/model/binaryItem';
import { binaryDataId } from '../../../../src/core/model/ids';

function item(fileName: string, fileExtension = '.jpg'): BinaryItem {
  const source = { componentName: 'cam', machineName: 'rover' } as BinaryItem['source'];
  const id = binaryDataId('0b2f6f1c');
  return { id, source, fileName, fileExtension, at: 1_772_366_400_123_456 } as BinaryItem;
}
const getDownloadName = (fileName: string, extension?: string): string =>
  toFileName(item(fileName, extension));

describe('toFileName', () => {
  it('preserves ordinary names in any script', () => {
    assert.equal(getDownloadName('photo 1', '.PNG'), 'photo 1.png');
    assert.equal(getDownloadName('写真', '.tar.gz'), '写真.tar.gz');
    assert.equal(getDownloadName('photo.jpg'), 'photo.jpg');
  });

  it('names captures by their time and component', () => {
    assert.equal(getDownloadName(''), '20260301T120000.123456Z_cam.jpg');
    assert.equal(getDownloadName(' \t'), '20260301T120000.123456Z_cam.jpg');
  });

  const hostile: readonly string[] = [
    ...[
      '../../x',
      '..\\..\\x',
      'C:\\x',
      '/etc/passwd',
      '\\\\host\\share\\x',
      '.',
      '..',
      '...',
      '~/x',
    ],
    ...['-con', '~nul', '.aux', '- prn', '-com1'],
    ...['CON', 'nul.txt', 'com1', 'COM¹', 'LPT³.x', 'CONIN$', 'aux .jpg', 'x.', 'x ', ' . '],
    ...[
      'a\nb',
      'a\0b',
      'a\u202egpj.exe',
      '\u200e',
      'a:b',
      'a|b<c>"d?*',
      '-rf',
      '.bashrc',
      'e\u0301',
    ],
    ...[
      'x'.repeat(10_000),
      '\ud83d'.repeat(500),
      '\u{1f600}'.repeat(3_000),
      '%2e%2e%2fx',
      '../'.repeat(500),
    ],
  ];
  for (const name of hostile) {
    it(`turns ${JSON.stringify(name.slice(0, 30))} into a plain file name`, () => {
      for (const extension of [
        '.jpg',
        '',
        '/../x',
        '.a/b',
        '.'.repeat(10_000),
        '.\u202ecod',
        '. ',
      ]) {
        const safe = getDownloadName(name, extension);
        assert.ok(safe !== '' && !/^[.\s~-]|[.\s]$/.test(safe), JSON.stringify(safe));
        assert.doesNotMatch(safe, /[\\/:*?"<>|\p{C}]/u);
        assert.doesNotMatch(
          safe,
          /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|con(?:in|out)\$)(?:\.|$)/i,
        );
        assert.ok(safe.isWellFormed());
        const longest = `${distinctName(safe, item(name), 64)}.part.version`;
        assert.ok(Buffer.byteLength(longest) < 255, `${Buffer.byteLength(longest)} bytes`);
      }
    });
  }

  it('never names a file like the temporary file of another download', () => {
    assert.equal(getDownloadName('scan.png.part', ''), 'scan.png.part_');
    assert.equal(getDownloadName('scan.png', '.PART'), 'scan.png.part_');
    assert.equal(getDownloadName('scan.png.part.version.new', ''), 'scan.png.part.version.new_');
    assert.equal(getDownloadName('part', '.part'), 'part.part_');
    assert.equal(getDownloadName('scan.parts', ''), 'scan.parts');
  });

  it('distinguishes files with equal names by their items', () => {
    const one = { id: binaryDataId('1') };
    assert.match(distinctName('photo.jpg', one, 8), /^photo_[0-9a-f]{8}\.jpg$/);
    assert.notEqual(distinctName('a', one, 8), distinctName('a', { id: binaryDataId('2') }, 8));
    assert.equal(foldedName('PHOTO\u0301.JPG'), foldedName('phot\u00f3.jpg'));
  });
});
