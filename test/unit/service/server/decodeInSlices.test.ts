import assert from 'node:assert/strict';
import {
  create,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { LongWork } from '../../../../src/base/longWork';
import {
  type DataCaptureUploadRequest,
  DataCaptureUploadRequestSchema,
  DataType,
} from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { UpdateRobotPartRequestSchema } from '../../../../src/gen/viam/app/v1/machine_pb';
import { decodeInSlices, SLICE_BYTES } from '../../../../src/service/server/decodeMessage';
import { seededRandom } from '../../../support/seededRandom';

const SCHEMA = DataCaptureUploadRequestSchema;
/** Duration that makes each step a separate slice. */
const SLICE_MS = 0;

function decode(schema: DescMessage, bytes: Uint8Array, signal?: AbortSignal): Promise<Message> {
  return new LongWork({ sliceMs: SLICE_MS }).run(decodeInSlices(schema, bytes), signal);
}

function makeReadings(count: number): DataCaptureUploadRequest {
  return create(SCHEMA, {
    metadata: { partId: 'part', type: DataType.TABULAR_SENSOR },
    sensorContents: Array.from({ length: count }, (_, n) => ({
      metadata: { timeRequested: { seconds: BigInt(n) } },
      data: { case: 'struct' as const, value: { readings: { n, list: [true, null, 'x'] } } },
    })),
  });
}

/** Decodes a message and counts the turns of the event loop in the meantime. */
async function decodeCountingTurns(
  schema: DescMessage,
  bytes: Uint8Array,
): Promise<{ message: unknown; turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const message = await decode(schema, bytes);
  isDone = true;
  return { message, turns };
}

describe('decodeInSlices', () => {
  it('decodes the same message as one call, and yields after each slice', async () => {
    const bytes = toBinary(SCHEMA, makeReadings(5_000));
    const { message, turns } = await decodeCountingTurns(SCHEMA, bytes);
    assert.deepEqual(message, fromBinary(SCHEMA, bytes));
    const slices = Math.floor(bytes.length / SLICE_BYTES);
    assert.ok(slices > 10);
    // A slice is slightly larger than its minimum.
    assert.ok(turns > slices * 0.9, `${turns} turns for ${slices} slices`);
  });

  it('merges a field that occurs in several slices', async () => {
    const part = (partId: string): Uint8Array =>
      toBinary(SCHEMA, create(SCHEMA, { metadata: { partId } }));
    const type = toBinary(SCHEMA, create(SCHEMA, { metadata: { type: DataType.FILE } }));
    const bytes = Buffer.concat([part('x'.repeat(SLICE_BYTES)), type, part('last')]);
    const message = await decode(SCHEMA, bytes);
    assert.deepEqual(
      message,
      create(SCHEMA, { metadata: { partId: 'last', type: DataType.FILE } }),
    );
  });

  it('rejects bytes that are malformed or truncated', async () => {
    const bytes = toBinary(SCHEMA, makeReadings(5_000));
    await assert.rejects(decode(SCHEMA, bytes.subarray(0, -1)));
    await assert.rejects(decode(SCHEMA, Buffer.alloc(SLICE_BYTES, 0xff)));
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const bytes = toBinary(SCHEMA, makeReadings(5_000));
    const decoding = decode(SCHEMA, bytes, controller.signal);
    controller.abort();
    await assert.rejects(decoding, { name: 'AbortError' });
  });

  describe('with a large Struct', () => {
    const PART = UpdateRobotPartRequestSchema;
    const FIELD = PART.field.robotConfig.number;
    const MUTATIONS = 300;

    type Write = (writer: BinaryWriter) => unknown;

    /** Writes a bytes or message field. */
    function field(number: number, ...contents: Write[]): Write {
      return (writer) => {
        writer.tag(number, WireType.LengthDelimited).fork();
        for (const write of contents) write(writer);
        writer.join();
      };
    }

    function text(number: number, value: string): Write {
      return (writer) => writer.tag(number, WireType.LengthDelimited).string(value);
    }

    function encode(...contents: Write[]): Uint8Array {
      const writer = new BinaryWriter();
      for (const write of contents) write(writer);
      return writer.finish();
    }

    const large = field(1, text(1, 'large'), field(2, text(3, 'x'.repeat(SLICE_BYTES))));

    async function assertDecodedAsByLibrary(
      bytes: Uint8Array,
      schema: DescMessage = PART,
    ): Promise<void> {
      let expected: Message | undefined;
      try {
        expected = fromBinary(schema, bytes);
      } catch {
        await assert.rejects(decode(schema, bytes));
        return;
      }
      assert.deepEqual(await decode(schema, bytes), expected);
    }

    it('decodes the same message as one call, and yields within it', async () => {
      const values: JsonValue[] = [
        'x',
        'é'.repeat(200),
        1.5,
        -0,
        true,
        null,
        [],
        {},
        [[1], { a: 2 }],
      ];
      const robotConfig: JsonObject = { components: Array.from({ length: 3_000 }, () => values) };
      const part = { id: 'id', name: 'name', robotConfigJson: '{}' };
      const bytes = toBinary(PART, create(PART, { ...part, robotConfig }));
      const { message, turns } = await decodeCountingTurns(PART, bytes);
      assert.deepEqual(message, fromBinary(PART, bytes));
      assert.ok(turns > 200, `${turns} turns`);
    });

    const value = (...contents: Write[]): Write => field(2, ...contents);
    const structValue = (...entries: Write[]): Write => field(5, ...entries);
    const listValue = (...values: Write[]): Write => field(6, ...values);
    const item = (...contents: Write[]): Write => field(1, ...contents);
    const number =
      (n: number): Write =>
      (writer) =>
        writer.tag(2, WireType.Bit64).double(n);
    const entry = (key: string, ...contents: Write[]): Write => field(1, text(1, key), ...contents);

    const FORMS: Record<string, Write[]> = {
      'a key that occurs twice': [entry('a', value(number(1))), entry('b'), entry('a', value())],
      'an inherited key': [entry('__proto__', value(structValue(entry('a'))))],
      'an entry without a key': [field(1, value(number(1)))],
      'an entry with two values': [
        entry('a', value(structValue(entry('x'))), value(structValue(entry('y')))),
      ],
      'a value with two kinds': [entry('a', value(structValue(entry('x')), number(2)))],
      'objects and lists in two chunks': [
        entry('a', value(structValue(entry('x')), structValue(entry('y', value(number(1)))))),
        entry('b', value(listValue(item(number(1))), listValue(item(number(2)), item()))),
      ],
      'numbers that JSON does not support': [
        entry('a', value(number(NaN))),
        entry('b', value(number(-Infinity))),
      ],
      'unknown fields': [
        field(9, text(1, 'x')),
        field(1, text(1, 'a'), value(text(9, 'x'), number(1)), text(3, 'y')),
      ],
      'text that is not UTF-8': [
        entry(
          'a',
          value((writer) => writer.tag(3, WireType.LengthDelimited).bytes(Buffer.from([0xff]))),
        ),
      ],
      'more levels than the library decodes': [
        entry(
          'a',
          value(
            Array.from({ length: 60 }).reduce<Write>((inner) => listValue(item(inner)), number(1)),
          ),
        ),
      ],
      'many levels': [
        entry(
          'a',
          value(
            Array.from({ length: 45 }).reduce<Write>((inner) => listValue(item(inner)), number(1)),
          ),
        ),
      ],
    };
    for (const [name, contents] of Object.entries(FORMS)) {
      it(`decodes ${name} like the library`, async () => {
        await assertDecodedAsByLibrary(encode(field(FIELD, large, ...contents)));
      });
    }

    const METADATA = SCHEMA.field.metadata.number;
    const CONTENTS = SCHEMA.field.sensorContents.number;
    /** Field numbers of `SensorData`. */
    const SENSOR = { metadata: 1, struct: 2, binary: 3 };
    const time = field(
      SENSOR.metadata,
      field(1, (writer) => writer.tag(1, WireType.Varint).int64(7)),
    );
    const reading = (...contents: Write[]): Write =>
      field(CONTENTS, time, field(SENSOR.struct, ...contents));

    for (const [name, contents] of Object.entries(FORMS)) {
      it(`decodes ${name} in a reading like the library`, async () => {
        await assertDecodedAsByLibrary(
          encode(reading(...contents), field(METADATA, text(1, 'part')), reading(...contents)),
          SCHEMA,
        );
      });
    }

    const MIXED_READINGS: Write[] = [
      field(CONTENTS),
      field(CONTENTS, field(SENSOR.struct)),
      field(CONTENTS, field(SENSOR.struct, entry('a')), text(SENSOR.binary, 'x'), time),
      field(CONTENTS, text(SENSOR.binary, 'x'), field(SENSOR.struct, entry('a')), text(9, 'x')),
      field(
        CONTENTS,
        field(SENSOR.struct, entry('a', value(structValue(entry('x'))))),
        time,
        field(SENSOR.struct, entry('a'), entry('b', value(number(1)))),
      ),
      reading(entry('a', value(text(3, 'é'.repeat(8)))), entry('a', value(text(3, 'idle')))),
      reading(
        entry('listen', value(text(3, 'silent'))),
        entry('silent', value(text(3, 'x'.repeat(99)))),
      ),
    ];

    it('decodes readings in several parts, or without a Struct, like the library', async () => {
      await assertDecodedAsByLibrary(encode(...MIXED_READINGS), SCHEMA);
    });

    it('decodes changed readings like the library, or rejects them', async () => {
      const random = seededRandom(11);
      const forms = Object.values(FORMS).slice(0, -3);
      const bytes = encode(...forms.map((contents) => reading(...contents)), ...MIXED_READINGS);
      let decoded = 0;
      for (let count = 0; count < MUTATIONS; count += 1) {
        const changed = Uint8Array.from(bytes);
        changed[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
        // The library also accepts messages that end after the message that contains them.
        const message = await decode(SCHEMA, changed).catch(() => undefined);
        if (message === undefined) continue;
        assert.deepEqual(message, fromBinary(SCHEMA, changed));
        decoded += 1;
      }
      assert.ok(decoded > MUTATIONS / 10, `${decoded} decoded messages`);
    });

    it('merges a field that occurs several times', async () => {
      const small = field(FIELD, entry('a', value(number(1))));
      const again = field(FIELD, entry('a', value()), large);
      await assertDecodedAsByLibrary(
        encode(small, text(2, 'name'), field(FIELD, large), again, small),
      );
    });

    it('decodes changed bytes like the library', async () => {
      const random = seededRandom(7);
      const bytes = encode(field(FIELD, ...Object.values(FORMS).slice(0, -3).flat(), large));
      const end = bytes.length - SLICE_BYTES;
      for (let count = 0; count < MUTATIONS; count += 1) {
        const changed = Uint8Array.from(bytes);
        changed[Math.floor(random() * end)] = Math.floor(random() * 256);
        await assertDecodedAsByLibrary(changed);
      }
    });
  });
});
