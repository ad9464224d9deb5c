import assert from 'node:assert/strict';
import {
  isPackedMessage,
  packMessage,
  unpackMessage,
} from '../../../../src/shared/query/queryNotebook';

/** Returns the message as the channel delivers it. */
function transfer(message: unknown): unknown {
  const packed: unknown = JSON.parse(JSON.stringify(packMessage('page', message)));
  assert.ok(isPackedMessage(packed));
  return unpackMessage(packed);
}

describe('messages of a notebook', () => {
  it('carry bytes at any position', () => {
    const { buffer } = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
    const message = { id: 1, series: [{ x: buffer, y: new ArrayBuffer(0) }, { x: buffer }] };
    assert.deepEqual(transfer(message), message);
  });

  it('are the same without bytes', () => {
    const message = { type: 'request', params: [null, 'text', 1.5, { a: {} }] };
    assert.deepEqual(transfer(message), message);
  });

  it('are undefined when they cannot be parsed', () => {
    for (const bytes of ['%', '']) {
      const packed = {
        page: '',
        json: bytes === '' ? '{' : '{"fleetwright.bytes":0}',
        bytes: [bytes],
      };
      assert.equal(unpackMessage(packed), undefined);
    }
    assert.ok(!isPackedMessage({ page: 'a', json: '{}', bytes: [1] }));
  });
});
