import assert from 'node:assert/strict';
import { decode } from 'jpeg-js';
import { encodeImage, withComment } from '../../../src/simulate/images/encodeImage';
import { hallScene } from '../../../src/simulate/images/hallScene';
import { Random } from '../../../src/simulate/random';

describe('a JPEG with a comment', () => {
  it('is the same image with other bytes', () => {
    const { canvas } = hallScene(new Random('hall'), new Date(0), 64, 48);
    const plain = encodeImage(canvas, 'jpeg');
    const [first, second] = [withComment(plain, 'frame 1'), withComment(plain, 'frame 2')];
    assert.notDeepEqual(first, second);
    assert.deepEqual(decode(first).data, decode(plain).data);
    assert.deepEqual(decode(second).comments, ['frame 2']);
  });
});
