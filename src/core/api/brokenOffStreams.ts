import type { ClientHttp2Stream, ClientSessionRequestOptions } from 'node:http2';
import { constants } from 'node:http2';
import type { Http2SessionManager } from '@connectrpc/connect-node';

type SessionManager = Pick<Http2SessionManager, 'authority' | 'request' | 'notifyResponseByteRead'>;

/**
 * Resets interrupted requests without ending them first. The `close` method of Node's streams first
 * ends and then resets them. A service that receives the end before the reset, or never receives
 * the reset, treats the partial upload as complete and stores a truncated archive.
 */
export function brokenOffStreams(manager: SessionManager): SessionManager {
  return {
    authority: manager.authority,
    request: async (method, path, headers, options) => {
      const breaking = new AbortController();
      const breakable: ClientSessionRequestOptions = { ...options, signal: breaking.signal };
      const stream = await manager.request(method, path, headers, breakable);
      stream.close = closing(stream, () => breaking.abort());
      return stream;
    },
    notifyResponseByteRead: (stream) => manager.notifyResponseByteRead(stream),
  };
}

function closing(stream: ClientHttp2Stream, breakOff: () => void): ClientHttp2Stream['close'] {
  const close = stream.close.bind(stream);
  return (code = constants.NGHTTP2_NO_ERROR, callback) => {
    if (code === constants.NGHTTP2_NO_ERROR || stream.writableEnded) {
      close(code, callback);
      return;
    }
    if (callback) stream.once('close', callback);
    // Destroying the stream sends only the reset.
    breakOff();
  };
}
