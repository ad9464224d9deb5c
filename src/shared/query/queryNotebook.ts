import { isRecord } from '../../base/isRecord';
import { type Guarded, isListOf, isOptional, isShape, isString, isUndefined } from '../guards';
import { command, request } from '../protocol';
import { isTranslations } from '../translations';
import { resultMessages } from './results';

export const isCellResult = isShape({
  result: isString,
});
/** Contents of a cell's output, which identify the result to show. */
export type CellResult = Guarded<typeof isCellResult>;

const isResultsStart = isShape({
  /** Translations of the page's strings; absent for English. */
  translations: isOptional(isTranslations),
  locale: isString,
});
/** Data that all outputs in a notebook share. */
export type ResultsStart = Guarded<typeof isResultsStart>;

/** Messages between a notebook's outputs and the extension. */
export const queryNotebookProtocol = {
  ...resultMessages,
  begin: request(isUndefined, isResultsStart),
  /**
   * Reports that an output was rendered. `resultChanged` then reports the current state of its
   * result and every change.
   */
  showResult: command(isCellResult),
} as const;

export type QueryNotebookProtocol = typeof queryNotebookProtocol;

export const isPackedMessage = isShape({
  /**
   * Identifies the page that sent the message or must receive it. There is one page per notebook
   * editor.
   */
  page: isString,
  json: isString,
  bytes: isListOf(isString),
});
/**
 * Envelope for messages between a notebook's outputs and the extension. These messages are sent as
 * JSON and therefore can't contain binary data. Binary data is sent next to the message as base64,
 * and the message refers to it by index.
 */
export type PackedMessage = Guarded<typeof isPackedMessage>;

const NUMBER_OF_BYTES = 'fleetwright.bytes';
/** Number of arguments that `String.fromCharCode` supports on all platforms. */
const CHUNK = 0x2000;

/** Packs a message for sending. */
export function packMessage(page: string, message: unknown): PackedMessage {
  const bytes: string[] = [];
  const json = JSON.stringify(message, (_, value: unknown) =>
    value instanceof ArrayBuffer ? { [NUMBER_OF_BYTES]: bytes.push(toBase64(value)) - 1 } : value,
  );
  return { page, json, bytes };
}

/** Unpacks a message; undefined if it is invalid. */
export function unpackMessage(packed: PackedMessage): unknown {
  try {
    return JSON.parse(packed.json, (_, value: unknown) => {
      const number = isRecord(value) ? value[NUMBER_OF_BYTES] : undefined;
      const bytes = typeof number === 'number' ? packed.bytes[number] : undefined;
      return bytes === undefined ? value : fromBase64(bytes);
    });
  } catch {
    return undefined;
  }
}

function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text);
}

function fromBase64(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes.buffer;
}
