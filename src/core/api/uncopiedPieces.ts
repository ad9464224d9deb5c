import {
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Interceptor } from '@connectrpc/connect';
import type { UniversalClientFn } from '@connectrpc/connect/protocol';

/** Smaller pieces are not worth writing apart. */
const SMALLEST_PIECE = 16 * 1024;
const ENVELOPE_BYTES = 5;

/**
 * Sends the pieces of large contents without a copy. Encoding them as every other message takes three
 * copies of each, and collecting those takes longer than sending. What comes out on the wire is the same.
 */
export class UncopiedPieces {
  private readonly bodies = new WeakMap<Headers, AsyncIterable<Uint8Array>>();

  /** To be the innermost: it takes the messages that are sent, and hands none on. */
  readonly interceptor: Interceptor = (next) => (request) => {
    const field = request.stream ? pieceField(request.method.input) : undefined;
    if (!request.stream || !field || request.method.methodKind !== 'client_streaming') {
      return next(request);
    }
    this.bodies.set(request.header, encoded(request.method.input, field, request.message));
    return next({ ...request, message: nothing() });
  };

  /** The client that calls go through, with the bodies that were put aside. */
  over(client: UniversalClientFn): UniversalClientFn {
    return (request) => {
      const body = this.bodies.get(request.header);
      return client(body ? { ...request, body } : request);
    };
  }
}

/** The field with the pieces of a content, in messages that are either what it is or a piece of it. */
function pieceField({ oneofs }: DescMessage): DescField | undefined {
  return oneofs
    .flatMap(({ fields }) => fields)
    .find(({ fieldKind, scalar }) => fieldKind === 'scalar' && scalar === ScalarType.BYTES);
}

/** Messages as gRPC sends them: each after a mark that it is not compressed, and its length. */
async function* encoded(
  schema: DescMessage,
  field: DescField,
  messages: AsyncIterable<Message>,
): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    const piece = pieceOf(message, field);
    if (piece) {
      const head = new BinaryWriter()
        .tag(field.number, WireType.LengthDelimited)
        .uint32(piece.length)
        .finish();
      yield enveloped(head, head.length + piece.length);
      // Anyone who takes it is done with it when it asks for the next: it waits until it is written.
      yield piece;
    } else {
      const whole = toBinary(schema, message);
      yield enveloped(whole, whole.length);
    }
  }
}

function pieceOf(message: Message, { oneof, localName }: DescField): Uint8Array | undefined {
  const members: Readonly<Record<string, unknown>> = { ...message };
  const chosen = oneof && members[oneof.localName];
  if (
    typeof chosen !== 'object' ||
    chosen === null ||
    !('case' in chosen) ||
    !('value' in chosen)
  ) {
    return undefined;
  }
  const { value } = chosen;
  const isPiece = chosen.case === localName && value instanceof Uint8Array;
  return isPiece && value.length >= SMALLEST_PIECE ? value : undefined;
}

/** @param length of the whole message, of which these are the first bytes */
function enveloped(bytes: Uint8Array, length: number): Uint8Array {
  const envelope = Buffer.alloc(ENVELOPE_BYTES + bytes.length);
  envelope.writeUInt32BE(length, 1);
  envelope.set(bytes, ENVELOPE_BYTES);
  return envelope;
}

async function* nothing(): AsyncGenerator<never> {
  // Its messages are on their way already.
}
