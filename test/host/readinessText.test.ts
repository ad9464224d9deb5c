import assert from 'node:assert/strict';
import { ReadinessTally } from '../../src/core/data/datasets/datasetReadiness';
import { type BinaryItem, toSource } from '../../src/core/model/binaryItem';
import { binaryDataId, connectionId, datasetId, organizationId } from '../../src/core/model/ids';
import type { DatasetTarget } from '../../src/core/model/resourceTarget';
import { formatReadiness } from '../../src/host/features/datasets/formatReadiness';
import { parseReadinessUri, readinessUri } from '../../src/host/features/datasets/readinessFiles';

const CHECKED = { name: 'pallets', organization: 'My Fleet', at: new Date(0) };

function image(number: number, marks: Partial<BinaryItem> = {}): BinaryItem {
  return {
    id: binaryDataId(`i${number}`),
    source: { ...toSource(undefined), machineName: 'rover', componentName: 'cam' },
    mimeType: 'image/jpeg',
    fileName: '',
    fileExtension: '.jpg',
    sizeBytes: 1_000,
    uri: '',
    at: 0,
    receivedAt: 0,
    tags: [],
    boxes: [],
    classifications: [],
    datasetIds: [],
    ...marks,
  };
}

function boxes(...labels: string[]): Pick<BinaryItem, 'boxes'> {
  const corners = { xMin: 0, yMin: 0, xMax: 1, yMax: 1 };
  return { boxes: labels.map((label) => ({ id: label, label, ...corners })) };
}

function describeItems(...items: readonly BinaryItem[]): string {
  const tally = new ReadinessTally();
  for (const item of items) tally.add(item);
  return formatReadiness(CHECKED, tally.result());
}

/** Returns the section of a document that starts with a given line. */
function section(text: string, title: string): string {
  return text.split('\n\n').find((part) => part.startsWith(title)) ?? '';
}

describe('the readiness message of a dataset', () => {
  it('lists what is missing with counts', () => {
    const text = describeItems(
      ...Array.from({ length: 11 }, (_, n) => image(n, boxes('pallet'))),
      image(11, { ...boxes('forklift', 'forklift'), tags: ['night'] }),
      image(12),
      image(13, { mimeType: 'text/plain', fileExtension: '.txt' }),
    );
    assert.match(text, /^Is the dataset "pallets" ready for training\?\nOrganization "My Fleet", /);
    assert.match(
      text,
      /^14 items \(14 kB\), of which 13 are images\. Training skips the other item\.$/m,
    );
    assert.equal(
      section(text, 'Object detection: not ready\n  '),
      `Object detection: not ready
  Missing: At least 15 images: 13 available.
    Add 2 more.
  Met: At least 80% of the images labeled: 12 of 13 are labeled (92%).
  Missing: At least 10 boxes for each label: 1 of 2 labels have enough.
    Add the missing examples listed below, or train without those labels.`,
    );
    assert.match(
      text,
      /Labels\n {4}"forklift": 2 boxes\. 8 more boxes labeled "forklift" are needed\.\n {4}"pallet": 11 boxes$/m,
    );
    assert.match(text, /Missing: .*: 1 of 13 are labeled \(7%\)\.\n {4}Tag 10 more\.$/m);
    assert.match(text, /"night": 1 image\. 9 more images labeled "night" are needed\.$/m);
    assert.match(text, /^Images without a box \(1\)\n {2}.* · rover › cam · i12$/m);
  });

  it('reports readiness, and no unlabeled images if there are none', () => {
    const ready = Array.from({ length: 15 }, (_, n) => image(n, { ...boxes('a'), tags: ['b'] }));
    const text = describeItems(...ready);
    assert.match(text, /^Object detection: ready\nClassification: ready$/m);
    assert.doesNotMatch(text, /not ready|Missing|Images without/);
  });

  it('explains that training for one label cannot use images with several labels', () => {
    const both = Array.from({ length: 15 }, (_, n) => image(n, { tags: ['pallet', 'night'] }));
    const text = describeItems(...both);
    assert.match(
      text,
      /^Classification: ready for multi-label training, but not for single-label training$/m,
    );
    assert.match(
      text,
      /\n {2}15 images have several labels\.\n {4}Single-label training skips images with more than one label\. Train a multi-label model, or remove tags\.\n/,
    );
    const apart = (tag: string) => both.map((one) => ({ ...one, tags: [tag] }));
    const few = describeItems(...apart('pallet'), ...apart('night'), ...both.slice(0, 1));
    assert.match(few, /^Classification: ready$/m);
    assert.match(few, /^ {2}1 image has several labels\.$/m);
  });

  it('requests images first if there are none', () => {
    const text = describeItems();
    assert.match(text, /Missing: At least 15 images: 0 available\.\n {4}Add 15 more\.$/m);
    assert.match(text, /0 of 0 are labeled \(0%\)\.\n {4}Add images first\.$/m);
    assert.match(text, /^ {4}There are no labels yet\.$/m);
  });

  it('limits the lines, and preserves hostile labels on one line each', () => {
    const label = '\u202eegnaro\n# [x](command:evil)';
    const hostile = image(0, boxes(label, label, 'x'.repeat(10_000)));
    const many = Array.from({ length: 300 }, (_, n) => image(n, boxes(`label ${n}`)));
    const text = describeItems(hostile, ...many, ...many.map((one) => ({ ...one, boxes: [] })));
    assert.match(text, /^ {4}"\ufffdegnaro\ufffd# \[x\] \(command:evil\)": 2 boxes\./m);
    assert.match(text, /^ {4}… and 102 more labels$/m);
    assert.match(text, /^ {2}… and 200 more$/m);
    assert.ok(text.split('\n').length < 700);
  });

  it('has an address that survives its text form with any name', () => {
    const target: DatasetTarget = {
      kind: 'dataset',
      connectionId: connectionId('0b2f6f1c7a41'),
      organizationId: organizationId('o/1?'),
      datasetId: datasetId('d#2'),
      name: '../../%2e\u202e[x](command:y)',
    };
    const { name, ...address } = target;
    const uri = readinessUri(target);
    assert.deepEqual(parseReadinessUri(uri.with({})), address, name);
    assert.deepEqual(parseReadinessUri(uri.with({ path: uri.path })), address);
    assert.doesNotMatch(uri.path, /\.\.|[[\]]/);
    assert.equal(parseReadinessUri(uri.with({ query: '{' })), undefined);
    assert.equal(parseReadinessUri(uri.with({ scheme: 'file' })), undefined);
  });
});
