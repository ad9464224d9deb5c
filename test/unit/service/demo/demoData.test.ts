import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fromRoot } from '../../../../scripts/support/paths';
import { DemoDataError, readDemoData } from '../../../../src/service/demo/demoData';
import { TestFolder } from '../../../support/archives';

/**
 * Returns the error of reading a copy of the demo data in which one text of a file has been
 * replaced. The error names files relative to the copy.
 */
function readChanged(file: string, original: string, replacement: string): string {
  using folder = new TestFolder();
  cpSync(fromRoot('media', 'demo'), folder.path, { recursive: true });
  const path = join(folder.path, file);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(original), original);
  writeFileSync(path, text.replace(original, replacement));
  try {
    readDemoData(folder.path);
  } catch (error) {
    assert.ok(error instanceof DemoDataError, String(error));
    return error.message.replaceAll(folder.path + sep, '').replaceAll(sep, '/');
  }
  return assert.fail('the data was accepted');
}

const AMR = 'norrvik/machines/amr-03.json';
const ORGANIZATION = 'norrvik/organization.json';

describe('readDemoData', () => {
  it('reads the companies in alphabetical order of their folders', () => {
    assert.deepEqual(
      readDemoData().map(({ name, fragments, registry }) => [
        name,
        fragments.length,
        registry.modules.length,
      ]),
      [
        ['Norrvik Automation', 5, 2],
        ['Saltmarsh Field Robotics', 3, 0],
      ],
    );
  });

  for (const [problem, file, original, replacement, message] of [
    ['invalid JSON', AMR, '{', '[', /^norrvik\/machines\/amr-03\.json: .*JSON/],
    [
      'a missing key',
      AMR,
      '"config"',
      '"cfg"',
      /^norrvik\/machines\/amr-03\.json: parts\.main\.cfg is unknown; the keys are: /,
    ],
    [
      'a misspelled key',
      AMR,
      '"edits"',
      '"edit"',
      /parts\.main\.edit is unknown; did you mean "edits"\?/,
    ],
    [
      'a wrong type',
      AMR,
      '"daysAgo": 59',
      '"daysAgo": "59"',
      /daysAgo must be a whole number from 1$/,
    ],
    [
      'an age before the first start of the service',
      ORGANIZATION,
      '"daysAgo": 76',
      '"daysAgo": 1e9',
      /daysAgo must be at most 80$/,
    ],
    [
      'an unknown fragment',
      AMR,
      '"id": "amr-base"',
      '"id": "amr"',
      /parts\.main\.config uses the fragment "amr"; /,
    ],
    [
      'edits in the wrong order',
      AMR,
      '"daysAgo": 3,',
      '"daysAgo": 24,',
      /^norrvik\/machines\/amr-03\.json: parts\.main\.edits\[1\]\.daysAgo must be less than 24, /,
    ],
    [
      'an edit that is older than its machine',
      AMR,
      '"daysAgo": 24,',
      '"daysAgo": 59,',
      /^norrvik\/machines\/amr-03\.json: parts\.main\.edits\[0\]\.daysAgo must be less than 59, /,
    ],
    [
      'a machine that is older than its location',
      AMR,
      '"daysAgo": 59,',
      '"daysAgo": 75,',
      /^norrvik\/machines\/amr-03\.json: daysAgo must be less than 75, /,
    ],
    [
      'a machine that is older than its fragment',
      AMR,
      '"daysAgo": 59,',
      '"daysAgo": 70,',
      /^norrvik\/machines\/amr-03\.json: parts\.main\.config uses the fragment "amr-base", which is created later$/,
    ],
    [
      'a machine that is listed twice',
      ORGANIZATION,
      '"amr-02"',
      '"amr-01"',
      /machines\[1\] repeats the name "amr-01"$/,
    ],
    [
      'an edit of a missing entry',
      'norrvik/machines/charging-bay-1.json',
      'modules.norrvik_modbus-io.v',
      'modules.modbus-io.v',
      /^norrvik\/machines\/charging-bay-1\.json: parts\.main\.edits\[0\]\.set\["modules\.modbus-io\.version"\] is not in the config/,
    ],
    [
      'a missing machine file',
      ORGANIZATION,
      '"amr-07"',
      '"amr-08"',
      /\.machines\[6\] names machines\/amr-08\.json, which doesn't exist/,
    ],
    [
      'an unlisted machine file',
      ORGANIZATION,
      '"amr-06", "amr-07"',
      '"amr-06"',
      /^norrvik\/machines\/amr-07\.json: organization\.json doesn't list this file/,
    ],
    [
      'an unknown location',
      ORGANIZATION,
      '"location": "Palletizing Hall"',
      '"location": "Palletizing hall"',
      /^norrvik\/organization\.json: members\[3\]\.location has the unknown value "Palletizing hall"; did you mean "Palletizing Hall"\?/,
    ],
    [
      'an unknown company',
      ORGANIZATION,
      '"with": "Saltmarsh Field Robotics"',
      '"with": "Saltmarsh"',
      /shared with "Saltmarsh"/,
    ],
    [
      'an unknown part',
      'norrvik/captures.json',
      '"part": "amr-01-main"',
      '"part": "amr-01"',
      /^norrvik\/captures\.json: readings\[0\]\.part has the unknown value "amr-01"; /,
    ],
    [
      'a missing file of a package',
      'norrvik/registry.json',
      '"labels.txt"',
      '"names.txt"',
      /packages\[0\]\.files\[0\] names registry\/pallet-detector\/names\.txt/,
    ],
  ] as const) {
    it(`rejects ${problem}, and names the file and the key`, () => {
      assert.match(readChanged(file, original, replacement), message);
    });
  }

  it('reports that there are no companies, and ignores hidden folders', () => {
    using folder = new TestFolder();
    mkdirSync(join(folder.path, '.git'));
    assert.throws(() => readDemoData(folder.path), {
      message: `the demo data is missing: ${folder.path} has no folder of a company`,
    });
  });

  it('reports where the data belongs if it is missing', () => {
    using folder = new TestFolder();
    assert.throws(() => readDemoData(join(folder.path, 'demo')), {
      message: `the demo data is missing: copy media/demo to ${join(folder.path, 'demo')}`,
    });
  });
});
