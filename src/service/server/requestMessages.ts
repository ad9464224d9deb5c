import { Code, ConnectError } from '@connectrpc/connect';
import { exhausted } from '../errors';
import { type DescMethod, fromBinary } from '@bufbuild/protobuf';
import type { LongWork } from '../../base/longWork';
import { atOnce, yieldToEventLoop } from '../../base/slices';
import { type BodyFormat, readBodyFormat } from './bodyFormat';
import { BODY_TIMEOUTS, BodySource, type BodyTimeouts } from './bodySource';
import { CallMemory, type MemoryCall, type RequestMemory } from './callMemory';
import { BATCH_BYTES, ContentBatch } from './contentBatch';
import { ContentSplitter, MAX_PREFIX_BYTES, type SplitMessage } from './contentSplitter';
import {
  countBinaryValues,
  countJsonValues,
  MAX_DECOMPRESSED_BYTES,
  MAX_JSON_BYTES,
  MAX_JSON_VALUES,
  type MessageLimit,
} from './messageLimits';
import { type DecodedMessage, decodeInSlices, SLICE_BYTES } from './decodeMessage';
import { type Decompress, getRestMs } from './decompression';
import type { Reservation } from './fairBudget';
import type { HttpRequest } from './http';
import type { RejectionReason } from './connectionGuard';

export interface RequestCall extends MemoryCall {
  readonly method: DescMethod;
  readonly limit: MessageLimit;
  readonly memory: Omit<RequestMemory, 'unknown'>;
  /** Decodes large messages for all calls. */
  readonly longWork: LongWork;
  /**
   * Receives a message that was decoded here. The library receives an empty message in its place.
   */
  readonly handOver: (message: DecodedMessage) => void;
  readonly timeouts?: BodyTimeouts | undefined;
}

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const ENVELOPE_BYTES = 5;
const LENGTH_OFFSET = 1;
const COMPRESSED_FLAG = 1;
/** Number of bytes to copy in one step. */
const CHUNK_BYTES = 256 * KIBIBYTE;
/**
 * Minimum size of messages whose content is passed on as it arrives. Smaller messages usually arrive
 * as a whole, and copying them takes less time than passing on several chunks.
 */
const MIN_SPLIT_BYTES = 16 * KIBIBYTE;
/** Minimum rest in milliseconds. Timers have no finer resolution. */
const MIN_REST_MS = 1;
const SMALL_BYTES = 256 * KIBIBYTE;
/**
 * Minimum size of messages whose memory is freed after their call. The memory for smaller messages
 * is left to garbage collection. For larger ones, collections would block the event loop.
 */
const FREED_BYTES = MEBIBYTE;
/**
 * Number of copies of a message in memory. The library copies a message once while assembling it.
 */
const COPIES = 2;
/**
 * Minimum size of messages whose values are counted. Smaller messages have too few values to be
 * worth counting.
 */
const MIN_COUNTED_BYTES = KIBIBYTE;
/** Number of values below which a message is parsed almost instantly. */
const FEW_VALUES = 10_000;
/**
 * Number of values up to which a small message is decoded in the current tick. This includes the
 * chunks of uploads, whose contents aren't copied.
 */
const MAX_INSTANT_VALUES = 500;

const TOO_SLOW_FOR_OTHERS =
  'the request is arriving too slowly while others wait for its memory: try again with smaller messages ' +
  'or over a faster connection';

const BINARY_ADVICE = 'send it in binary form (application/proto)';

/**
 * Reads a request's messages within limits on size, count, and time, and within the memory that all
 * calls share. Decompresses the messages, because their decompressed size determines how much
 * memory they use. Passes on the contents from client streams in small messages, regardless of the
 * size of the received messages.
 */
export class RequestMessages {
  private readonly source: BodySource;
  private readonly maxBytes: number;
  private readonly maxValues: number;
  private readonly maxDecompressedBytes: number;
  private readonly memory: CallMemory;

  private constructor(
    request: HttpRequest,
    private readonly call: RequestCall,
    private readonly format: BodyFormat,
  ) {
    const onTimeout = (): void => call.countRejection('slowBody');
    this.source = new BodySource(request, call.timeouts ?? BODY_TIMEOUTS, onTimeout);
    this.memory = new CallMemory(call, {
      estimateWaitMs: () => this.source.estimateWaitMs(),
      onReclaimed: () => {
        call.countRejection('slowBody');
        this.source.interrupt(new ConnectError(TOO_SLOW_FOR_OTHERS, Code.DeadlineExceeded));
      },
    });
    const { bytes, values } = call.limit;
    this.maxBytes = format.isJson ? Math.min(bytes, MAX_JSON_BYTES) : bytes;
    this.maxValues = format.isJson ? Math.min(values, MAX_JSON_VALUES) : values;
    this.maxDecompressedBytes = Math.min(this.maxBytes, MAX_DECOMPRESSED_BYTES);
  }

  /**
   * Prepares to read a request. Removes the headers that will no longer match the messages after
   * they have been read here.
   * @returns undefined for a request whose body isn't read at all, for example because its type is
   *   unknown
   */
  static prepare(request: HttpRequest, call: RequestCall): RequestMessages | undefined {
    const format = readBodyFormat(request);
    return format && new RequestMessages(request, call, format);
  }

  /**
   * Yields the body as the library expects it, one complete message at a time.
   * @throws ResourceExhausted if a limit is exceeded or there isn't enough memory; DeadlineExceeded
   *   for slow clients; the signal's reason
   */
  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    if (this.format.isEnveloped) yield* this.readEnvelopes(signal);
    else yield await this.readWhole(signal);
  }

  /**
   * Releases the memory after the call has ended. A read that is still in progress can no longer
   * reserve memory.
   */
  release(): void {
    this.memory.release();
  }

  private async *readEnvelopes(signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const { method } = this.call;
    const isUpload = method.methodKind === 'client_streaming';
    const splitter =
      isUpload && !this.format.isJson ? new ContentSplitter(method.input) : undefined;
    const batch = new ContentBatch();
    for (;;) {
      if (!batch.isEmpty && !(await this.source.hasArrived())) yield this.passOn(batch);
      if (!(await this.source.hasMore(isUpload))) break;
      await this.source.fill(ENVELOPE_BYTES);
      const head = Buffer.alloc(ENVELOPE_BYTES);
      const headLength = await this.source.readInto(head);
      if (headLength < ENVELOPE_BYTES) {
        // The library reports the incomplete header.
        yield head.subarray(0, headLength);
        return;
      }
      const length = head.readUInt32BE(LENGTH_OFFSET);
      if (length > this.maxBytes) throw this.rejectSize(length);
      this.source.startMessage(length);
      const flags = head[0] ?? 0;
      const isCompressed = (flags & COMPRESSED_FLAG) !== 0;
      // The library rejects messages with unknown flags.
      if (splitter && flags === 0 && length >= MIN_SPLIT_BYTES) {
        await this.source.fill(Math.min(length, MAX_PREFIX_BYTES));
        const split = splitter.recognize(this.source.peek(), length);
        if (split !== undefined) {
          await this.source.readInto(Buffer.alloc(split.contentOffset));
          if (!batch.accepts(split)) yield this.passOn(batch);
          yield* this.readContent(length - split.contentOffset, split, batch);
          continue;
        }
      }
      if (!batch.isEmpty) yield this.passOn(batch);
      yield* this.readEnvelope(head, length, isCompressed, signal);
      // The library handles a unary call only after it has checked for a second message.
      if (method.methodKind !== 'unary') this.memory.releaseReservations();
    }
  }

  /**
   * Passes on content as it arrives, without assembling its message. Content that has arrived at the
   * same time is passed on together, also that of several messages.
   */
  private async *readContent(
    length: number,
    split: SplitMessage,
    batch: ContentBatch,
  ): AsyncGenerator<Uint8Array, void> {
    this.source.setMaxQueued(BATCH_BYTES);
    for (let left = length; left > 0;) {
      if (!batch.isEmpty && !(await this.source.hasArrived())) yield this.passOn(batch);
      const content = await this.source.readSome(Math.min(left, batch.room));
      if (content === undefined) {
        throw new ConnectError('the request ends within a message', Code.InvalidArgument);
      }
      left -= content.length;
      batch.add(split, content);
      if (batch.room === 0) yield this.passOn(batch);
    }
  }

  /** Hands over a batch; returns the empty message that the library receives in its place. */
  private passOn(batch: ContentBatch): Uint8Array {
    this.call.handOver({ message: batch.take() });
    return makeEnvelopeHead(0);
  }

  private async *readEnvelope(
    head: Buffer,
    length: number,
    isCompressed: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    const decompress = isCompressed ? this.format.decompress : undefined;
    const isCopied = decompress !== undefined || this.format.isJson;
    const reservation = await this.reserveBytes(
      isCopied ? length : length / COPIES,
      decompress !== undefined,
      signal,
    );
    const envelope = Buffer.allocUnsafe(ENVELOPE_BYTES + length);
    envelope.set(head);
    const end = await this.readInto(envelope, ENVELOPE_BYTES, signal);
    const bytes = envelope.subarray(ENVELOPE_BYTES, end);
    const isMessage = ((head[0] ?? 0) & ~COMPRESSED_FLAG) === 0;
    // The library reports a message that is truncated, has unknown flags, or was compressed with an
    // unknown algorithm.
    if (!isMessage || end < envelope.length || (isCompressed && decompress === undefined)) {
      yield envelope.subarray(0, end);
    } else if (decompress === undefined) {
      yield (await this.takeMessage(bytes, reservation, signal)) ? makeEnvelopeHead(0) : envelope;
    } else {
      const content = await this.decompress(decompress, bytes, reservation, signal);
      const isTaken = await this.takeMessage(content, reservation, signal);
      yield makeEnvelopeHead(isTaken ? 0 : content.length);
      if (!isTaken) yield content;
    }
  }

  private async readWhole(signal: AbortSignal): Promise<Uint8Array> {
    const { decompress, isJson, length } = this.format;
    if (length !== undefined && length > this.maxBytes) throw this.rejectSize(length);
    const [bytes, reservation] =
      length === undefined
        ? await this.readUnknownLength(signal)
        : await this.readKnownLength(length, signal);
    if (decompress === undefined) {
      reservation.shrinkTo(isJson ? bytes.length * COPIES : bytes.length);
    }
    const content = decompress
      ? await this.decompress(decompress, bytes, reservation, signal)
      : bytes;
    return (await this.takeMessage(content, reservation, signal)) ? new Uint8Array() : content;
  }

  private async readKnownLength(
    length: number,
    signal: AbortSignal,
  ): Promise<[Uint8Array, Reservation]> {
    const { decompress, isJson } = this.format;
    const isCopied = decompress !== undefined || isJson;
    const reservation = await this.reserveBytes(
      isCopied ? length : length / COPIES,
      decompress !== undefined,
      signal,
    );
    this.source.startMessage(length);
    const bytes = Buffer.allocUnsafe(length);
    const end = await this.readInto(bytes, 0, signal);
    // The request is complete only when its end has been read.
    await this.source.hasMore(false);
    return [bytes.subarray(0, end), reservation];
  }

  private async readUnknownLength(signal: AbortSignal): Promise<[Uint8Array, Reservation]> {
    const isCompressed = this.format.decompress !== undefined;
    const expected = Math.min(SMALL_BYTES, this.maxBytes);
    let reservation = await this.reserveBytes(expected, isCompressed, signal);
    this.source.startMessage(this.maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = await this.source.readSome(CHUNK_BYTES);
      if (chunk === undefined) break;
      chunks.push(chunk);
      const isFirstBeyond = size <= expected && size + chunk.length > expected;
      size += chunk.length;
      if (size > this.maxBytes) throw this.rejectSize();
      if (isFirstBeyond) {
        this.memory.releaseReservations();
        reservation = await this.reserveBytes(this.maxBytes, isCompressed, signal);
      }
    }
    return [Buffer.concat(chunks), reservation];
  }

  /**
   * Reads a message until `target` is full or the body ends. Copies a large message in slices, so
   * that the service receives several large messages only as fast as it can also handle other
   * calls. Returns the number of bytes in `target`.
   */
  private async readInto(target: Uint8Array, start: number, signal: AbortSignal): Promise<number> {
    let end = start;
    for (;;) {
      const chunk = target.subarray(end, end + CHUNK_BYTES);
      const length = await this.source.readInto(chunk);
      end += length;
      if (length < chunk.length || end === target.length) return end;
      await this.call.longWork.waitForTurn(signal);
    }
  }

  /**
   * Validates a complete message, and decodes it if it is binary. The library would respond with
   * Internal to a message that it can't decode, and would decode a large message in one step.
   * @returns true if the decoded message was handed over; the library then receives an empty
   *   message
   * @throws InvalidArgument if the message can't be decoded
   */
  private async takeMessage(
    bytes: Uint8Array,
    reservation: Reservation,
    signal: AbortSignal,
  ): Promise<boolean> {
    const count = await this.checkValues(bytes, signal);
    if (this.format.isJson) return false;
    reservation.shrinkTo(bytes.length);
    const { input } = this.call.method;
    const isSmall = bytes.length <= SMALL_BYTES;
    const isInstant = bytes.length < SLICE_BYTES || (isSmall && count <= MAX_INSTANT_VALUES);
    try {
      const message = isInstant
        ? fromBinary(input, bytes)
        : await this.call.longWork.run(decodeInSlices(input, bytes), signal);
      if (isSmall && !isInstant) {
        // Ends the slice. Otherwise, it would include the call's handler, and other messages would
        // wait for a rest that is much longer than their decoding.
        await yieldToEventLoop();
      }
      this.call.handOver(
        bytes.length < FREED_BYTES
          ? { message }
          : {
              message,
              free: () => {
                if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
                reservation.releaseFreed();
              },
            },
      );
    } catch (error) {
      signal.throwIfAborted();
      const reason = (error as Error).message;
      const message = `the message can't be decoded as ${input.typeName} (${reason}): check that it has the type that the method expects`;
      throw new ConnectError(message, Code.InvalidArgument, undefined, undefined, error);
    }
    return true;
  }

  private async decompress(
    decompress: Decompress,
    bytes: Uint8Array,
    reservation: Reservation,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    if (bytes.length === 0) return bytes;
    const maxBytes = this.maxDecompressedBytes;
    const slot =
      maxBytes > SMALL_BYTES
        ? await this.memory.acquire(this.call.memory.decompressions, 1, signal)
        : undefined;
    let restMs = 0;
    let content: Uint8Array | undefined;
    try {
      content = await decompress(bytes, maxBytes);
      restMs = getRestMs(content?.length ?? 0);
    } catch (error) {
      const message = "the message can't be decompressed: check its encoding";
      throw new ConnectError(message, Code.InvalidArgument, undefined, undefined, error);
    } finally {
      if (restMs < MIN_REST_MS) slot?.release();
      else setTimeout(() => slot?.release(), restMs).unref();
    }
    if (content === undefined) throw this.rejectDecompressedSize();
    reservation.shrinkTo(content.length * COPIES);
    return content;
  }

  /**
   * @param isCompressed true if the decompressed size isn't known and can be as large as the
   *   maximum message size
   */
  private async reserveBytes(
    length: number,
    isCompressed: boolean,
    signal: AbortSignal,
  ): Promise<Reservation> {
    const { small, large } = this.call.memory;
    const amount = (length + (isCompressed ? this.maxDecompressedBytes : 0)) * COPIES;
    return this.memory.reserve(amount <= SMALL_BYTES * COPIES ? small : large, amount, signal);
  }

  /**
   * Counts the values in a message. Yields to other calls before a message with many values is
   * parsed. Returns the count; 0 for messages that are too small to be counted.
   */
  private async checkValues(bytes: Uint8Array, signal: AbortSignal): Promise<number> {
    if (bytes.length < MIN_COUNTED_BYTES) return 0;
    const { method, limit, memory, longWork } = this.call;
    const steps = this.format.isJson
      ? countJsonValues(bytes, this.maxValues + 1)
      : countBinaryValues(method.input, bytes, this.maxValues + 1);
    const count = bytes.length <= SMALL_BYTES ? atOnce(steps) : await longWork.run(steps, signal);
    if (count > this.maxValues) {
      const max = this.maxValues.toLocaleString('en-US');
      const fewer = limit.isDocument ? 'a document with fewer values' : 'several smaller messages';
      const [form, advice] =
        this.maxValues < limit.values
          ? [' of JSON', `${BINARY_ADVICE}, or ${fewer}`]
          : ['', `send ${fewer}`];
      throw this.reject(
        'tooManyValues',
        `${method.name} accepts at most ${max} values in a message${form}: ${advice}`,
      );
    }
    if (count > FEW_VALUES) {
      await this.memory.reserve(memory.values, count, signal);
      await yieldToEventLoop();
    }
    return count;
  }

  private rejectSize(length?: number): ConnectError {
    const { method } = this.call;
    const size = length === undefined ? 'more' : formatMebibytes(length);
    const advice =
      this.format.isJson && this.maxBytes === MAX_JSON_BYTES ? ` as JSON: ${BINARY_ADVICE}` : '';
    return this.reject(
      'tooLarge',
      `${method.name} accepts messages of at most ${formatMebibytes(this.maxBytes)}, but this one has ${size}${advice}`,
    );
  }

  private rejectDecompressedSize(): ConnectError {
    const max = formatMebibytes(this.maxDecompressedBytes);
    const { name } = this.call.method;
    const advice =
      this.maxDecompressedBytes < this.maxBytes ? ': send larger messages without compression' : '';
    return this.reject(
      'tooLarge',
      `${name} accepts compressed messages of at most ${max}${advice}`,
    );
  }

  private reject(reason: RejectionReason, message: string): ConnectError {
    this.call.countRejection(reason);
    return exhausted(message);
  }
}

function makeEnvelopeHead(length: number): Buffer {
  const head = Buffer.alloc(ENVELOPE_BYTES);
  head.writeUInt32BE(length, LENGTH_OFFSET);
  return head;
}

function formatMebibytes(bytes: number): string {
  return bytes < MEBIBYTE
    ? `${(bytes / KIBIBYTE).toFixed(0)} KiB`
    : `${(bytes / MEBIBYTE).toFixed(1).replace(/\.0$/, '')} MiB`;
}
