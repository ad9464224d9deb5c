import assert from 'node:assert/strict';
import { create, equals, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  type FileUploadRequest,
  FileUploadRequestSchema,
  StreamingDataCaptureUploadRequestSchema,
} from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { ContentSplitter, MAX_PREFIX_BYTES } from '../../../../src/service/server/contentSplitter';

describe('ContentSplitter', () => {
  const ofFiles = new ContentSplitter(FileUploadRequestSchema);

  function encode(init: MessageInitShape<typeof FileUploadRequestSchema>): Uint8Array {
    return toBinary(FileUploadRequestSchema, create(FileUploadRequestSchema, init));
  }

  const recognize = (bytes: Uint8Array, splitter = ofFiles) =>
    splitter.recognize(bytes.subarray(0, MAX_PREFIX_BYTES), bytes.length);

  for (const size of [1, 127, 128, 300_000]) {
    it(`splits a content of ${size} bytes into smaller messages`, () => {
      const data = Uint8Array.from({ length: size }, (_, index) => index);
      const message = encode({ uploadPacket: { case: 'fileContents', value: { data } } });
      const split = recognize(message);
      assert.ok(split);
      const content = message.subarray(split.contentOffset);
      assert.deepEqual(content, data);
      const part = content.subarray(0, Math.ceil(size / 2));
      const made = split.createMessage(part);
      const expected = { uploadPacket: { case: 'fileContents', value: { data: part } } } as const;
      assert.ok(
        equals(
          FileUploadRequestSchema,
          made as FileUploadRequest,
          create(FileUploadRequestSchema, expected),
        ),
      );
    });
  }

  it('recognizes contents that are not nested', () => {
    const schema = StreamingDataCaptureUploadRequestSchema;
    const value = new Uint8Array(500);
    const bytes = toBinary(schema, create(schema, { uploadPacket: { case: 'data', value } }));
    const split = recognize(bytes, new ContentSplitter(schema));
    assert.equal(split?.contentOffset, 3);
    assert.deepEqual(split.createMessage(value), fromBinary(schema, bytes));
  });

  it('does not split messages with more than a content', () => {
    const data = new Uint8Array(500);
    const content = encode({ uploadPacket: { case: 'fileContents', value: { data } } });
    const metadata = encode({
      uploadPacket: { case: 'metadata', value: { partId: 'x'.repeat(500) } },
    });
    for (const bytes of [metadata, Buffer.concat([content, metadata]), content.subarray(0, 400)]) {
      assert.equal(recognize(bytes), undefined);
    }
    assert.equal(ofFiles.recognize(content.subarray(0, 2), content.length), undefined);
  });
});
