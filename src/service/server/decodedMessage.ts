import type { Message } from '@bufbuild/protobuf';
import { createContextKey, type Interceptor } from '@connectrpc/connect';

/**
 * Single message of a call that was decoded here before the library received the request. The
 * library receives an empty message in its place.
 */
export interface DecodedMessage {
  message?: Message;
}

export const decodedMessageKey = createContextKey<DecodedMessage | undefined>(undefined, {
  description: 'the message that was decoded in chunks',
});

/**
 * Replaces the empty message that the library decoded with the message that was decoded in slices.
 */
export const decodedMessageInterceptor: Interceptor = (next) => (request) => {
  const decoded = request.contextValues.get(decodedMessageKey);
  if (decoded === undefined) return next(request);
  if (request.stream) return next({ ...request, message: replaceEach(request.message, decoded) });
  return next({ ...request, message: decoded.message ?? request.message });
};

/** The messages of a stream are decoded while the stream is read. */
async function* replaceEach(
  messages: AsyncIterable<Message>,
  decoded: DecodedMessage,
): AsyncGenerator<Message> {
  for await (const message of messages) yield decoded.message ?? message;
}
