/**
 * Encoded form of a buffer in messages between test and page, because Playwright supports only
 * JSON.
 */
interface PassedBytes {
  readonly passedBytes: string;
}

/** Encodes the buffers in a message as strings. */
export function packBytes(message: unknown): unknown {
  if (message instanceof ArrayBuffer) {
    return { passedBytes: Buffer.from(message).toString('base64') } satisfies PassedBytes;
  }
  return mapped(message, packBytes);
}

/** Decodes the buffers in a packed message. */
export function unpackBytes(message: unknown): unknown {
  if (isPassed(message)) return new Uint8Array(Buffer.from(message.passedBytes, 'base64')).buffer;
  return mapped(message, unpackBytes);
}

function mapped(message: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(message)) return message.map(change);
  if (typeof message !== 'object' || message === null) return message;
  return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, change(value)]));
}

function isPassed(value: unknown): value is PassedBytes {
  return typeof value === 'object' && value !== null && 'passedBytes' in value;
}

/** Source of the two functions above for the page, which can't import this file. */
export const passingBytes = `
  const mapped = (message, change) => Array.isArray(message)
    ? message.map(change)
    : typeof message === 'object' && message !== null
      ? Object.fromEntries(Object.entries(message).map(([key, value]) => [key, change(value)]))
      : message;
  const packBytes = (message) => {
    if (!(message instanceof ArrayBuffer)) return mapped(message, packBytes);
    const bytes = new Uint8Array(message);
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192) {
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
    return { passedBytes: btoa(text) };
  };
  const unpackBytes = (message) => message?.passedBytes === undefined
    ? mapped(message, unpackBytes)
    : Uint8Array.from(atob(message.passedBytes), (one) => one.charCodeAt(0)).buffer;
`;
