import type { Socket } from 'node:net';

export type Protocol = 'http1' | 'http2';

/** First bytes of an HTTP/2 client with prior knowledge (RFC 9113, section 3.4). */
const HTTP2_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/**
 * Reads just enough of a new plaintext connection to detect its protocol, puts the bytes back, and
 * passes on the connection. The connection is paused, so no bytes are lost before a listener is
 * added. A connection uses HTTP/1.1 if any byte differs from the HTTP/2 preface. Destroys a
 * connection if its protocol is still unknown after `timeoutMs` or when it is closed.
 */
export function detectProtocol(
  socket: Socket,
  timeoutMs: number,
  handOver: (protocol: Protocol) => void,
): void {
  let head = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  timer.unref();

  const stop = (): void => {
    clearTimeout(timer);
    socket.off('data', read).off('end', abandon).off('error', abandon).off('close', stop);
  };
  const abandon = (): void => {
    socket.destroy();
  };
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const protocol = identifyProtocol(head);
    if (protocol === undefined) {
      return;
    }
    stop();
    socket.pause();
    socket.unshift(head);
    handOver(protocol);
  };
  socket.on('data', read).on('end', abandon).on('error', abandon).on('close', stop);
}

function identifyProtocol(head: Buffer): Protocol | undefined {
  const seen = head.subarray(0, HTTP2_PREFACE.length);
  if (!HTTP2_PREFACE.subarray(0, seen.length).equals(seen)) {
    return 'http1';
  }
  return seen.length === HTTP2_PREFACE.length ? 'http2' : undefined;
}
