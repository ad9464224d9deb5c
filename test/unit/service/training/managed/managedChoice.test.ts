import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'jpeg-js';
import { megapixelsIn } from '../../../../../src/service/training/managed/annotatedImage';
import {
  type ChoiceLimits,
  ManagedChoice,
} from '../../../../../src/service/training/managed/managedChoice';
import { TrainingError } from '../../../../../src/service/training/trainingRunner';
import { Canvas } from '../../../../../src/simulate/images/canvas';
import { encodeImage } from '../../../../../src/simulate/images/encodeImage';

const LABELS = ['cat', 'dog'];

function toDatasetLine(id: string, ...labels: string[]): string {
  const annotations = labels.map((label) => ({ annotation_label: label }));
  return JSON.stringify({ image_path: `${id}.jpg`, classification_annotations: annotations });
}

/** Creates a choice from given numbers of images of cats, of dogs, and of both. */
function createChoice(
  { cats, dogs, both = 0 }: { cats: number; dogs: number; both?: number },
  limits: Partial<ChoiceLimits> = {},
): ManagedChoice {
  const all = { images: 4000, megapixels: 100, ...limits };
  const choice = new ManagedChoice('singleLabelClassification', LABELS, all);
  const add = (count: number, ...labels: string[]): void => {
    for (let at = 0; at < count; at += 1) {
      const id = `${labels.join('-')}-${String(at)}`;
      choice.consider(id, toDatasetLine(id, ...labels));
    }
  };
  add(cats, 'cat');
  add(dogs, 'dog');
  add(both, ...LABELS);
  return choice;
}

function formatMessages(choice: ManagedChoice, taken: number): string[] {
  return choice.toLogLines(taken).map(({ level, message }) => `${level}: ${message}`);
}

describe('the images for managed training', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-choice-'));
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function file(name: string, bytes: Uint8Array): string {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  it('exclude unusable images, and report them', () => {
    const choice = createChoice({ cats: 12, dogs: 11, both: 3 });
    const ids = choice.chosen();
    assert.equal(ids.length, 23);
    assert.ok(ids.every((id) => !id.startsWith('cat-dog')));
    assert.deepEqual(formatMessages(choice, 23), [
      'info: 3 images with several of the labels are skipped.',
    ]);
    assert.equal(formatMessages(choice, 20).length, 1, 'other problems are reported elsewhere');
  });

  it('include some images of each label if there are more than the limit', () => {
    const choice = createChoice({ cats: 900, dogs: 15 }, { images: 40 });
    const ids = choice.chosen();
    assert.equal(ids.length, 40);
    assert.equal(ids.filter((id) => id.startsWith('dog')).length, 15);
    assert.deepEqual(formatMessages(choice, 40), [
      "warn: Using 40 of 915 usable images, with an equal number for each label where possible: training can't use more.",
    ]);
  });

  it('end when they exceed the limit of pixels', async () => {
    const choice = createChoice({ cats: 20, dogs: 20 }, { megapixels: 0.25 });
    const picture = file('large.png', encodeImage(new Canvas(400, 300), 'png'));
    assert.equal(choice.chosen().length, 40);
    // There must be enough images of each label, so 36 are used.
    for (let taken = 0; taken < 36; taken += 1) {
      assert.equal(await choice.hasRoomFor(picture), true);
    }
    assert.equal(await choice.hasRoomFor(picture), false);
    assert.match(
      formatMessages(choice, 36).join(),
      /^warn: Using 36 of 40 usable images, .*: they are large, and training reads at most about 0\.25 megapixels/,
    );
  });

  it('are empty if no model can be trained on them', () => {
    const fails = (choice: ManagedChoice, reason: RegExp): void =>
      assert.throws(
        () => choice.chosen(),
        (error) => error instanceof TrainingError && reason.test(error.message),
      );
    fails(
      createChoice({ cats: 0, dogs: 0, both: 40 }),
      /^Every image with one of the labels has more than one/,
    );
    fails(
      createChoice({ cats: 40, dogs: 40 }, { images: 35 }),
      /^Training uses at most 35 images, .* too few for 2 labels\. Submit the job with fewer labels/,
    );
    assert.equal(
      createChoice({ cats: 20, dogs: 15 }, { images: 35 }).chosen().length,
      35,
      'all of them',
    );
    fails(createChoice({ cats: 40, dogs: 2 }), /^Only 2 images have the label "dog"\. /);
  });

  it('are measured by their headers', async () => {
    const [width, height] = [50, 20];
    const data = Buffer.alloc(width * height * 4, 200);
    const jpeg = encode({ width, height, data }, 80).data;
    // Mimic a camera's file, in which other data, the size of a thumbnail, comes first.
    const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xfe]), Buffer.alloc(0xfffc)]);
    const camera = Buffer.concat([
      jpeg.subarray(0, 2),
      exif,
      Buffer.from([0xff]),
      jpeg.subarray(2),
    ]);
    assert.equal(await megapixelsIn(file('a.jpg', jpeg)), 0.001);
    assert.equal(await megapixelsIn(file('b.jpg', camera)), 0.001);
    assert.equal(await megapixelsIn(file('c.jpg', encodeImage(new Canvas(50, 20), 'png'))), 0.001);
    for (const [at, bytes] of [
      Buffer.from('no picture, and longer than a head'),
      Buffer.alloc(0),
      jpeg.subarray(0, 30),
    ].entries()) {
      assert.equal(await megapixelsIn(file(`${at}`, bytes)), 0);
    }
    const liar = encodeImage(new Canvas(50, 20), 'png');
    liar[16] = 0x01;
    assert.equal(await megapixelsIn(file('liar.png', liar)), 0);
    // Segments that each declare a length of 0.
    const endless = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(4096, 0)]);
    for (let offset = 2; offset < endless.length; offset += 4) endless.set([0xff, 0xe0], offset);
    assert.equal(await megapixelsIn(file('endless.jpg', endless)), 0);
  });
});
