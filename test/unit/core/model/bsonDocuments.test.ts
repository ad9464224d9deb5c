import assert from 'node:assert/strict';
import { deserialize, serialize } from 'bson';
import { documentsIn } from '../../../../src/core/model/query';

describe('documentsIn', () => {
  const both = Buffer.concat([serialize({ a: 1 }), serialize({})]);

  it('splits consecutive documents', () => {
    assert.deepEqual(
      documentsIn(both).map((document) => deserialize(document)),
      [{ a: 1 }, {}],
    );
    assert.deepEqual(documentsIn(new Uint8Array()), []);
  });

  it('rejects invalid documents', () => {
    const cut = both.subarray(0, both.byteLength - 1);
    for (const wrong of [cut, Buffer.from([0, 0, 0, 0, 0]), Buffer.from([5])]) {
      assert.throws(() => documentsIn(wrong), /something else/);
    }
  });
});
