import assert from 'node:assert/strict';
import { create, fromBinary, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { atOnce } from '../../../../src/base/slices';
import { RobotPartSchema } from '../../../../src/gen/viam/app/v1/machine_pb';
import { encodeStruct } from '../../../../src/service/messages/structField';

const CONFIGS: Record<string, JsonObject> = {
  'an empty object': {},
  'values of all kinds': {
    text: 'x',
    long: 'é€😀'.repeat(100),
    numbers: [0, -0, 1.5, 2 ** 53, -1e300],
    flags: [true, false],
    none: null,
    empty: { list: [], object: {}, text: '', '': 0 },
  },
  'an inherited key': JSON.parse('{"__proto__":{"a":1}}') as JsonObject,
  'long lists': {
    components: Array.from({ length: 2_000 }, (_, n) => ({ name: `c${n}`, n, list: [[n], {}] })),
  },
};

describe('encodeStruct', () => {
  for (const [name, robotConfig] of Object.entries(CONFIGS)) {
    it(`encodes ${name} like the library`, () => {
      const expected = toBinary(RobotPartSchema, create(RobotPartSchema, { robotConfig }));
      const reader = new BinaryReader(expected);
      reader.tag();
      assert.deepEqual(
        Buffer.from(atOnce(encodeStruct(robotConfig))),
        Buffer.from(expected.subarray(reader.pos)),
      );
    });
  }

  it('returns bytes that can be parsed as the field', () => {
    const robotConfig = CONFIGS['values of all kinds'];
    const part = create(RobotPartSchema, { id: 'id', robotConfigJson: '{}' });
    const { number: no } = RobotPartSchema.field.robotConfig;
    part.$unknown = [{ no, wireType: 2, data: atOnce(encodeStruct(robotConfig ?? {})) }];
    assert.deepEqual(
      fromBinary(RobotPartSchema, toBinary(RobotPartSchema, part)),
      create(RobotPartSchema, {
        id: 'id',
        robotConfigJson: '{}',
        ...(robotConfig && { robotConfig }),
      }),
    );
  });
});
