import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
} from '@bufbuild/protobuf';

const VARINT_BITS = 7;
const CONTINUES = 0x80;
const MAX_VARINT_BYTES = 5;
const BYTES_WIRE_TYPE = 2;
const TAG_TYPE_BITS = 3;

/** Maximum number of bytes before a message's content: two tags and two lengths. */
export const MAX_PREFIX_BYTES = 4 * MAX_VARINT_BYTES;

/** Nested fields, outermost first. The innermost field contains the content. */
type ContentPath = readonly DescField[];

/**
 * Position of the content in a message that contains nothing else, and a function that creates
 * smaller messages from the content.
 */
export interface SplitMessage {
  readonly contentOffset: number;
  /**
   * Creates a message that contains only these bytes, without copying them. The function is the same
   * for all messages with the content in the same field.
   */
  readonly createMessage: (content: Uint8Array) => Message;
}

/**
 * Recognizes upload messages that contain only a chunk of content. Their contents can then be
 * forwarded in messages of another size. The result is the same, because handlers concatenate the
 * contents of all messages in a stream.
 */
export class ContentSplitter {
  private readonly contents: readonly {
    readonly path: ContentPath;
    readonly createMessage: SplitMessage['createMessage'];
  }[];

  /** @param message request type of a client-streaming method */
  constructor(message: DescMessage) {
    const paths = message.fields.flatMap((field): ContentPath[] => {
      if (field.fieldKind === 'scalar' && isBytes(field)) return [[field]];
      if (field.fieldKind !== 'message') return [];
      const [content, ...more] = field.message.fields;
      const isChunk = content?.fieldKind === 'scalar' && isBytes(content) && more.length === 0;
      return isChunk ? [[field, content]] : [];
    });
    this.contents = paths.map((path) => ({
      path,
      createMessage: (content) => createNested(message, path, content),
    }));
  }

  /**
   * @param head first bytes of the message
   * @param length size of the message
   * @returns undefined if the message might contain anything other than content
   */
  recognize(head: Uint8Array, length: number): SplitMessage | undefined {
    for (const { path, createMessage } of this.contents) {
      const contentOffset = findContent(head, length, path);
      if (contentOffset !== undefined) return { contentOffset, createMessage };
    }
    return undefined;
  }
}

function isBytes({ scalar }: { readonly scalar: ScalarType }): boolean {
  return scalar === ScalarType.BYTES;
}

function findContent(head: Uint8Array, length: number, path: ContentPath): number | undefined {
  let offset = 0;
  for (const field of path) {
    const tag = readVarint(head, offset);
    if (tag?.value !== makeTag(field.number)) return undefined;
    const size = readVarint(head, tag.end);
    if (size === undefined || size.end + size.value !== length) return undefined;
    offset = size.end;
  }
  return offset;
}

function readVarint(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte % CONTINUES) * 2 ** (index * VARINT_BITS);
    if (byte < CONTINUES) return { value, end: start + index + 1 };
  }
  return undefined;
}

function createNested(
  message: DescMessage,
  [field, ...inner]: ContentPath,
  content: Uint8Array,
): Message {
  if (field === undefined) return create(message);
  const value =
    field.fieldKind === 'message' ? createNested(field.message, inner, content) : content;
  const { localName, oneof } = field;
  return create(
    message,
    oneof ? { [oneof.localName]: { case: localName, value } } : { [localName]: value },
  );
}

function makeTag(field: number): number {
  return field * 2 ** TAG_TYPE_BITS + BYTES_WIRE_TYPE;
}
